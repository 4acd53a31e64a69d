/**
 * The thread that owns the database, so that a commit never stalls the event loop.
 * In: messages of calls. Out: their results, after one commit for all that had arrived (group commit); and what other
 * processes have written.
 */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { createCheckpoints } from './checkpoints.ts'
import { type Database, openDatabase } from './database.ts'
import { isBusy, isFatal } from './failure.ts'
import { createPlaces, type News, type Places } from './places.ts'
import { directoryStatements } from './statements/directory.ts'
import { logStatements } from './statements/log.ts'
import { recentDeliveryStatements } from './statements/recent-deliveries.ts'
import { recentStatements } from './statements/recent-reports.ts'
import { revocationStatements } from './statements/revocation-feed.ts'
import { storeStatements } from './statements/store.ts'

export type Statements = ReturnType<typeof createStatements>

/** Flat, and results without a frame around each: every array more costs a call in both threads. */
export type Call = [name: keyof Statements, ...args: unknown[]]

interface Outcome {
  results: unknown[]
  /** The places of those that failed. */
  failed: [place: number, error: Error][]
}

export interface Results extends Outcome {
  /** How many messages these are the answers to. */
  messages: number
  news: News[]
  commits: Commit[]
}

export interface Commit {
  /** That wrote, and shared it. */
  calls: number
  /** Until it was on the disk. */
  seconds: number
}

export type Reply = { opened: true } | { failed: Error } | { fatal: Error } | Results

/** Also how late what another process wrote may be noticed. */
const listenEveryMs = 250

/** They wait for nobody, and their batch is no commit when there is nothing else in it. */
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
  'log.depth',
  'recent.list',
  'recent.minutes',
  'deliveries.list',
  'revocation.find',
  'revocation.read',
])

function createStatements(database: Database, places: Places) {
  return {
    ...storeStatements(database),
    ...directoryStatements(database),
    ...logStatements(database, places),
    ...recentStatements(database),
    ...recentDeliveryStatements(database),
    ...revocationStatements(database),
  }
}

function serve(port: MessagePort, database: Database, file: string): void {
  const checkpoints = createCheckpoints({ database, file, onFatal: end })
  const places = createPlaces(database)
  const statements = createStatements(database, places)
  let news: News[] = []
  let commits: Commit[] = []

  function run([name, ...args]: Call): unknown {
    // `Engine.call` has checked the arguments against this very function's type.
    const statement = statements[name] as (...args: unknown[]) => unknown
    return statement(...args)
  }

  function listen(): void {
    const latest = places.news()
    if (latest.restored) statements['recent.forget']()
    news.push(latest)
  }

  /** What others have written is looked at in the same transaction, so that no result is of later than the news. */
  function runAll(calls: Call[]): unknown[] {
    if (places.isChanged()) listen()
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
    const results = calls.map((call, place) => {
      try {
        return commit([call])[0]
      } catch (error) {
        if (isFatal(error)) throw error
        failed.push([place, toError(error)])
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
      // Somebody else holds the database, and each call alone would wait as long as all of them have.
      if (isBusy(error)) {
        return { results: calls.map(() => undefined), failed: calls.map((_, place) => [place, toError(error)]) }
      }
      // One call of the batch failed, or the commit itself did: each gets its own transaction and its own answer.
      return commitOneByOne(calls)
    }
  }

  function answer(messages: number, { results, failed }: Outcome): void {
    port.postMessage({ messages, results, failed, news, commits } satisfies Results)
    if (commits.length > 0) checkpoints.committed()
    news = []
    commits = []
  }

  /** The disk is not to be trusted from now on: no answer, no further write. */
  function end(error: unknown): void {
    clearInterval(listening)
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
    clearInterval(listening)
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
  const listening = setInterval(
    () =>
      orEnd(() => {
        if (!places.isChanged()) return
        try {
          database.reading(listen)
        } catch (error) {
          // The next look will do.
          if (isFatal(error)) throw error
        }
        if (news.length > 0) answer(0, { results: [], failed: [] })
      }),
    listenEveryMs,
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
