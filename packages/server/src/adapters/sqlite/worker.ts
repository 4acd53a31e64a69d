/**
 * The thread that owns the database, so that a commit never blocks the main event loop.
 * In: messages with calls. Out: the results of the calls, after one commit for all calls that have arrived (group
 * commit); and the changes of other processes.
 */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { createCheckpoints } from './database/checkpoints.ts'
import { type Database, openDatabase } from './database/database.ts'
import { isBusy, isFatal } from './database/failure.ts'
import { directoryStatements } from './directory-statements.ts'
import { createEntrySeqs, type EntrySeqs, type ForeignChange } from './log/entry-seqs.ts'
import { logStatements } from './log/log-statements.ts'
import { recentDeliveryStatements } from './recent/recent-deliveries-statements.ts'
import { recentStatements } from './recent/recent-reports-statements.ts'
import { reportFeedStatements } from './recent/report-feed-statements.ts'
import { revocationStatements } from './revocation-feed-statements.ts'
import { storeStatements } from './store-statements.ts'

export type Statements = ReturnType<typeof createStatements>

/** A flat array, because a nested one would cost time in both threads. */
export type Call = [name: keyof Statements, ...args: unknown[]]

interface Outcome {
  results: unknown[]
  /** Each error with the index of its call. */
  failed: [index: number, error: Error][]
}

export interface Results extends Outcome {
  /** How many messages this answers. */
  messages: number
  changes: ForeignChange[]
  commits: Commit[]
}

export interface Commit {
  /** The number of calls that wrote. */
  calls: number
  /** The time until the commit was on disk. */
  seconds: number
}

export type Reply = { opened: true } | { failed: Error } | { fatal: Error } | Results

/** A change by another process is detected at most this much later. */
const checkEveryMs = 250

/** Calls that write nothing. A batch of such calls needs no write transaction and does not wait for other processes. */
const reads: ReadonlySet<keyof Statements> = new Set<keyof Statements>([
  'store.get',
  'directory.find',
  'directory.list',
  'log.read',
  'log.load',
  'log.list',
  'log.entries',
  'log.listBuried',
  'log.countBuried',
  'log.oldestBuried',
  'log.depth',
  'recent.list',
  'recent.read',
  'recent.metrics',
  'feed.seqs',
  'feed.read',
  'deliveries.list',
  'revocation.find',
  'revocation.read',
])

function createStatements(database: Database, entrySeqs: EntrySeqs) {
  return {
    ...storeStatements(database),
    ...directoryStatements(database),
    ...logStatements(database, entrySeqs),
    ...recentStatements(database),
    ...reportFeedStatements(database),
    ...recentDeliveryStatements(database),
    ...revocationStatements(database),
  }
}

function serve(port: MessagePort, database: Database, file: string): void {
  const checkpoints = createCheckpoints({ database, file, onFatal: end })
  const entrySeqs = createEntrySeqs(database)
  const statements = createStatements(database, entrySeqs)
  let changes: ForeignChange[] = []
  let commits: Commit[] = []

  function run([name, ...args]: Call): unknown {
    // `SqliteEngine.call` has checked the arguments against the type of this function.
    const statement = statements[name] as (...args: unknown[]) => unknown
    return statement(...args)
  }

  function takeChange(): void {
    const change = entrySeqs.takeChange()
    if (change.restored) statements['recent.forget']()
    changes.push(change)
  }

  /** Checks for foreign changes in the same transaction, so that no result shows a change before it is reported. */
  function runAll(calls: Call[]): unknown[] {
    if (entrySeqs.isChanged()) takeChange()
    return calls.map(run)
  }

  function commit(calls: Call[]): unknown[] {
    const writing = calls.reduce((count, [name]) => (reads.has(name) ? count : count + 1), 0)
    if (writing === 0) return database.reading(() => runAll(calls))
    const startedAtMs = performance.now()
    const results = database.transaction(() => runAll(calls))
    commits.push({ calls: writing, seconds: (performance.now() - startedAtMs) / 1_000 })
    return results
  }

  function commitOneByOne(calls: Call[]): Outcome {
    const failed: Outcome['failed'] = []
    const results = calls.map((call, index) => {
      try {
        return commit([call])[0]
      } catch (error) {
        if (isFatal(error)) throw error
        failed.push([index, toError(error)])
        return undefined
      }
    })
    return { results, failed }
  }

  function commitAll(calls: Call[]): Outcome {
    try {
      return { results: commit(calls), failed: [] }
    } catch (error) {
      if (isFatal(error)) throw error
      // Another process has locked the database. Each call alone would wait for the same time again.
      if (isBusy(error)) {
        return { results: calls.map(() => undefined), failed: calls.map((_, index) => [index, toError(error)]) }
      }
      // A call of the batch or the commit has failed. Each call is repeated in its own transaction.
      return commitOneByOne(calls)
    }
  }

  function answer(messages: number, { results, failed }: Outcome): void {
    port.postMessage({ messages, results, failed, changes, commits } satisfies Results)
    if (commits.length > 0) checkpoints.committed()
    changes = []
    commits = []
  }

  /** After an I/O error the content of the disk is unknown, so the thread neither answers nor writes. */
  function end(error: unknown): void {
    clearInterval(checking)
    port.postMessage({ fatal: toError(error) } satisfies Reply)
    port.close()
  }

  function orEnd(step: () => void): void {
    try {
      step()
    } catch (error) {
      end(error)
    }
  }

  async function close(): Promise<void> {
    clearInterval(checking)
    await checkpoints.close()
    port.close()
  }

  port.on('message', (first: Call[] | 'close') =>
    orEnd(() => {
      const calls: Call[] = []
      let messages = 0
      let next: Call[] | 'close' | undefined = first
      for (; next !== undefined && next !== 'close'; next = receiveMessageOnPort(port)?.message) {
        calls.push(...next)
        messages++
      }
      if (messages > 0) answer(messages, commitAll(calls))
      if (next === 'close') void close()
    }),
  )
  const checking = setInterval(
    () =>
      orEnd(() => {
        if (!entrySeqs.isChanged()) return
        try {
          database.reading(takeChange)
        } catch (error) {
          // The next check repeats it.
          if (isFatal(error)) throw error
        }
        if (changes.length > 0) answer(0, { results: [], failed: [] })
      }),
    checkEveryMs,
  )
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

if (parentPort) {
  try {
    const database = openDatabase(workerData.file, workerData.role)
    serve(parentPort, database, workerData.file)
    parentPort.postMessage({ opened: true } satisfies Reply)
  } catch (error) {
    parentPort.postMessage({ failed: toError(error) } satisfies Reply)
    parentPort.close()
  }
}
