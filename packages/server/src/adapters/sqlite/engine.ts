/**
 * Gives the adapters access to the embedded database, which runs in its own thread.
 * In: calls of statements. Out: their results; a write is durable when its promise resolves.
 * Calls of one turn of the event loop are sent in one message. Two messages may be in flight, so that neither thread
 * waits for the other.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { ApiError } from '../../errors.ts'
import type { DatabaseRole } from './database/file.ts'
import type { ForeignChange } from './log/entry-seqs.ts'
import type { Call, Commit, Reply, Results, Statements } from './worker.ts'

export interface SqliteEngine {
  call<K extends keyof Statements>(name: K, ...args: Parameters<Statements[K]>): Promise<ReturnType<Statements[K]>>
  /**
   * Transfers bytes among the arguments of the next call to the thread: they are not copied, and cannot be used here
   * afterwards.
   */
  transfer(bytes: Uint8Array<ArrayBuffer>): Uint8Array
  /** Calls `listener` with each change by another process, before the results of later calls arrive. */
  onForeignChange(listener: (change: ForeignChange) => void): void
  /** Calls `listener` with each commit of this process. */
  onCommit(listener: (commit: Commit) => void): void
  /** Whether calls are accepted. */
  isOpen(): boolean
  /**
   * Whether `onForeignChange` has reported all changes that are older than 20 ms. If so, copies in memory are current.
   */
  isCurrent(): boolean
  close(): Promise<void>
}

export interface SqliteEngineOptions {
  file: string
  /** Default `server`. */
  role?: DatabaseRole
  /** Called when the disk or the thread has failed: every further call is refused, and the process must end. */
  onFatal?: ((error: Error) => void) | undefined
}

interface Waiting {
  name: string
  resolve(value: unknown): void
  reject(error: Error): void
}

const maxMessagesInFlight = 2
/** Copies of records are used for this long after the last check for foreign changes. */
const currentMs = 20
/** A tool stays open longer than that after its last write, so that its change is effective when the command ends. */
const lingerMs = currentMs + 5

/** The thread runs the source file when this is a source file, otherwise the built file. */
const workerUrl = import.meta.url.endsWith('.ts')
  ? new URL('./worker.ts', import.meta.url)
  : new URL(import.meta.resolve('#sqlite-worker'))

/** @throws Error when the file cannot be opened as a database of posrep-server; the message says why. */
export async function openSqliteEngine({
  file,
  role = 'server',
  onFatal = () => {},
}: SqliteEngineOptions): Promise<SqliteEngine> {
  const worker = new Worker(workerUrl, { workerData: { file, role } })
  let calls: Call[] = []
  let transferList: ArrayBuffer[] = []
  /** The calls without a result, in order. The calls in `calls` come last. */
  let waiting: Waiting[] = []
  /** When the messages in flight were sent. */
  const sentAtMs: number[] = []
  /** The thread has checked for foreign changes after this time. */
  let currentAtMs = Number.NEGATIVE_INFINITY
  let wroteAtMs = Number.NEGATIVE_INFINITY
  let isScheduled = false
  let closed = false
  let ended: Error | undefined
  let onIdle: (() => void) | undefined
  const listeners: ((change: ForeignChange) => void)[] = []
  const commitListeners: ((commit: Commit) => void)[] = []

  await new Promise<void>((resolve, reject) => {
    worker.once('message', (reply: Reply) =>
      'opened' in reply ? resolve() : reject('failed' in reply ? reply.failed : undefined),
    )
    worker.once('error', reject)
  })

  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  worker.on('error', (cause) => fail(cause))
  worker.on('exit', () => {
    if (!closed) fail(new Error('The database thread has ended'))
  })
  worker.on('message', (reply: Reply) => {
    if ('results' in reply) receive(reply)
    else if ('fatal' in reply) fail(reply.fatal)
  })

  /** Reports only the first failure, because later ones follow from it. */
  function fail(cause: Error): void {
    if (ended) return
    end(cause)
    onFatal(cause)
  }

  function receive({ messages, results, failed, changes, commits }: Results): void {
    const failures = new Map(failed)
    for (const sentAt of sentAtMs.splice(0, messages)) {
      // A failed transaction may not have checked for foreign changes.
      if (failures.size < results.length) currentAtMs = sentAt
    }
    for (const change of changes) for (const listener of listeners) listener(change)
    if (commits.length > 0) wroteAtMs = performance.now()
    for (const commit of commits) for (const listener of commitListeners) listener(commit)
    const answering = waiting.splice(0, results.length)
    answering.forEach((call, index) => {
      const failure = failures.get(index)
      if (failure) call.reject(unavailable(call.name, failure))
      else call.resolve(results[index])
    })
    if (calls.length > 0) send()
    else if (waiting.length === 0) onIdle?.()
  }

  function send(): void {
    if (sentAtMs.length >= maxMessagesInFlight || calls.length === 0) return
    sentAtMs.push(performance.now())
    worker.postMessage(calls, transferList)
    calls = []
    transferList = []
  }

  /** Sends all calls of this turn of the event loop at its end. */
  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      send()
    })
  }

  function end(cause: Error): void {
    ended ??= cause
    const left = waiting
    waiting = []
    calls = []
    transferList = []
    for (const { name, reject } of left) reject(unavailable(name, cause))
    onIdle?.()
  }

  return {
    call(name, ...args) {
      // The thread answers each call with the result of the statement of that name.
      return new Promise<ReturnType<Statements[typeof name]>>((resolve, reject) => {
        if (ended || closed) return reject(unavailable(name, ended))
        calls.push([name, ...args])
        waiting.push({ name, resolve, reject })
        schedule()
      })
    },
    transfer(bytes) {
      transferList.push(bytes.buffer)
      return bytes
    },
    onForeignChange: (listener) => void listeners.push(listener),
    onCommit: (listener) => void commitListeners.push(listener),
    isOpen: () => !closed && !ended,
    isCurrent: () => performance.now() - currentAtMs < currentMs,
    async close() {
      closed = true
      if (waiting.length > 0) {
        await new Promise<void>((resolve) => {
          onIdle = resolve
        })
      }
      if (!ended) worker.postMessage('close')
      const lingersMs = wroteAtMs + lingerMs - performance.now()
      if (role === 'tool' && lingersMs > 0) await sleep(lingersMs)
      await exited
    },
  }
}

function unavailable(name: string, cause: Error | undefined): ApiError {
  return new ApiError('unavailable', 'The store did not take this; try again shortly', {
    cause: new Error(`"${name}" failed in the database`, { cause }),
  })
}
