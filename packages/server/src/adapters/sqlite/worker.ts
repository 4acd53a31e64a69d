/**
 * The thread that owns the database, so that a commit never stalls the event loop.
 * In: messages of calls. Out: their results, after one commit for all that had arrived (group commit); and what other
 * processes have written.
 */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
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

export type Call = [name: keyof Statements, args: unknown[]]

export type CallResult = { value: unknown } | { error: Error }

export interface Results {
  /** How many messages these are the answers to. */
  messages: number
  results: CallResult[]
  news: News[]
}

export type Reply = { opened: true } | { failed: Error } | { fatal: Error } | Results

/** Also how late what another process wrote may be noticed. */
const listenEveryMs = 250
/** How often to look how much waits for a checkpoint, and from how much on one is made. */
const weighEveryCommits = 8
const checkpointBytes = 16 * 1024 * 1024

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

function serve(port: MessagePort, database: Database): void {
  const places = createPlaces(database)
  const statements = createStatements(database, places)
  let news: News[] = []
  let commits = 0

  function run([name, args]: Call): CallResult {
    // `Engine.call` has checked the arguments against this very function's type.
    const statement = statements[name] as (...args: unknown[]) => unknown
    return { value: statement(...args) }
  }

  function listen(): void {
    const latest = places.news()
    if (latest.restored) statements['recent.forget']()
    news.push(latest)
  }

  function commit(calls: Call[]): CallResult[] {
    return database.transaction(() => {
      if (places.isChanged()) listen()
      return calls.map(run)
    })
  }

  function commitOneByOne(calls: Call[]): CallResult[] {
    return calls.map((call) => {
      try {
        return commit([call])[0] ?? { error: new Error(`"${call[0]}" gave no result`) }
      } catch (error) {
        if (isFatal(error)) throw error
        return { error: toError(error) }
      }
    })
  }

  function commitAll(calls: Call[]): CallResult[] {
    try {
      return commit(calls)
    } catch (error) {
      if (isFatal(error)) throw error
      // Somebody else holds the database, and each call alone would wait as long as all of them have.
      if (isBusy(error)) return calls.map(() => ({ error: toError(error) }))
      // One call of the batch failed, or the commit itself did: each gets its own transaction and its own answer.
      return commitOneByOne(calls)
    }
  }

  function answer(messages: number, results: CallResult[]): void {
    port.postMessage({ messages, results, news } satisfies Results)
    news = []
  }

  /** After the answer, so that nobody waits for it. */
  function checkpoint(): void {
    if (++commits % weighEveryCommits !== 0) return
    try {
      if (database.bytesToCheckpoint() > checkpointBytes) database.checkpoint()
    } catch (error) {
      // No room, or somebody holds the file: what was committed stays where it is until the next time.
      if (isFatal(error)) throw error
    }
  }

  /** The disk is not to be trusted from now on: no answer, no further write. */
  function orEnd(step: () => void): void {
    try {
      step()
    } catch (error) {
      clearInterval(listening)
      port.postMessage({ fatal: toError(error) } satisfies Reply)
      port.close()
    }
  }

  function close(): void {
    clearInterval(listening)
    database.close()
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
      if (messages > 0) {
        answer(messages, commitAll(calls))
        checkpoint()
      }
      if (next === 'close') close()
    }),
  )
  const listening = setInterval(
    () =>
      orEnd(() => {
        if (!places.isChanged()) return
        try {
          database.transaction(listen)
        } catch (error) {
          // Somebody writes for long; the next look will do.
          if (isFatal(error)) throw error
        }
        if (news.length > 0) answer(0, [])
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
    serve(parentPort, database)
    parentPort.postMessage({ opened: true } satisfies Reply)
  } catch (error) {
    parentPort.postMessage({ failed: toError(error) } satisfies Reply)
    parentPort.close()
  }
}
