/**
 * The thread that owns the database, so that a commit never stalls the event loop.
 * In: batches of calls. Out: their results, after one commit for the whole batch (group commit).
 */
import { parentPort, workerData } from 'node:worker_threads'
import { type Database, openDatabase } from './database.ts'
import { directoryStatements } from './statements/directory.ts'
import { logStatements } from './statements/log.ts'
import { recentDeliveryStatements } from './statements/recent-deliveries.ts'
import { recentStatements } from './statements/recent-reports.ts'
import { revocationStatements } from './statements/revocation-feed.ts'
import { storeStatements } from './statements/store.ts'

export type Statements = ReturnType<typeof createStatements>

export interface Call {
  name: keyof Statements
  args: unknown[]
}

export type CallResult = { value: unknown } | { error: Error }

export type Reply = { opened: true } | { failed: Error } | { results: CallResult[] }

function createStatements(database: Database) {
  return {
    ...storeStatements(database),
    ...directoryStatements(database),
    ...logStatements(database),
    ...recentStatements(database),
    ...recentDeliveryStatements(database),
    ...revocationStatements(database),
  }
}

function serve(port: NonNullable<typeof parentPort>, database: Database): void {
  const statements = createStatements(database)

  function run({ name, args }: Call): CallResult {
    // `Engine.call` has checked the arguments against this very function's type.
    const statement = statements[name] as (...args: unknown[]) => unknown
    return { value: statement(...args) }
  }

  function commit(calls: Call[]): CallResult[] {
    database.exec('BEGIN IMMEDIATE')
    try {
      const results = calls.map(run)
      database.exec('COMMIT')
      return results
    } catch (error) {
      rollBack(database)
      throw error
    }
  }

  function commitOneByOne(calls: Call[]): CallResult[] {
    return calls.map((call) => {
      try {
        return commit([call])[0] ?? { error: new Error(`"${call.name}" gave no result`) }
      } catch (error) {
        return { error: toError(error) }
      }
    })
  }

  port.on('message', (calls: Call[] | 'close') => {
    if (calls === 'close') {
      database.close()
      port.close()
      return
    }
    let results: CallResult[]
    try {
      results = commit(calls)
    } catch {
      // One call of the batch failed, or the commit itself did: each gets its own transaction and its own answer.
      results = commitOneByOne(calls)
    }
    port.postMessage({ results } satisfies Reply)
  })
}

function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // SQLite has rolled back by itself, as it does when the disk is full.
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

if (parentPort) {
  try {
    const database = openDatabase(workerData.file, workerData.role)
    serve(parentPort, database)
    parentPort.postMessage({ opened: true } satisfies Reply)
  } catch (error) {
    parentPort.postMessage({ failed: toError(error) } satisfies Reply)
    parentPort.close()
  }
}
