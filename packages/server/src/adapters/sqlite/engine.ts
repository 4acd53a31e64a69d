/**
 * The embedded database, reached through its thread.
 * In: calls of its statements, from any adapter. Out: their results, each durable when its promise resolves.
 * Calls that arrive while a commit is under way share the next one.
 */
import { Worker } from 'node:worker_threads'
import { ApiError } from '../../errors.ts'
import type { DatabaseRole } from './database.ts'
import type { Call, Reply, Statements } from './worker.ts'

export interface SqliteEngine {
  call<K extends keyof Statements>(name: K, ...args: Parameters<Statements[K]>): Promise<ReturnType<Statements[K]>>
  close(): Promise<void>
}

interface Waiting {
  call: Call
  resolve(value: unknown): void
  reject(error: Error): void
}

/** From source the thread runs the source, as built it runs what was built. */
const workerUrl = import.meta.url.endsWith('.ts')
  ? new URL('./worker.ts', import.meta.url)
  : new URL(import.meta.resolve('#sqlite-worker'))

/** @throws Error when the file cannot be opened as our database; the message says why. */
export async function openSqliteEngine({
  file,
  role = 'server',
}: {
  file: string
  /** Default `server`. */
  role?: DatabaseRole
}): Promise<SqliteEngine> {
  const worker = new Worker(workerUrl, { workerData: { file, role } })
  let queue: Waiting[] = []
  let inFlight: Waiting[] = []
  let closed = false
  let ended: Error | undefined
  let onIdle: (() => void) | undefined

  await new Promise<void>((resolve, reject) => {
    worker.once('message', (reply: Reply) =>
      'opened' in reply ? resolve() : reject('failed' in reply ? reply.failed : undefined),
    )
    worker.once('error', reject)
  })

  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  worker.on('error', (cause) => end(cause))
  worker.on('exit', () => end(new Error('The database thread has ended')))
  worker.on('message', (reply: Reply) => {
    if (!('results' in reply)) return
    const answered = inFlight
    inFlight = []
    answered.forEach((waiting, index) => {
      const result = reply.results[index]
      if (result && 'value' in result) waiting.resolve(result.value)
      else waiting.reject(unavailable(waiting.call.name, result?.error))
    })
    send()
  })

  function send(): void {
    if (inFlight.length > 0) return
    if (queue.length === 0) {
      onIdle?.()
      return
    }
    inFlight = queue
    queue = []
    worker.postMessage(inFlight.map(({ call }) => call))
  }

  /** Resolves when nothing is under way any more. */
  function idle(): Promise<void> {
    return new Promise((resolve) => {
      onIdle = resolve
      send()
    })
  }

  function end(cause: Error): void {
    ended ??= cause
    for (const { call, reject } of [...inFlight, ...queue]) reject(unavailable(call.name, cause))
    inFlight = []
    queue = []
    onIdle?.()
  }

  return {
    call(name, ...args) {
      // The worker answers each call with what the statement of that name returns.
      const result = new Promise((resolve, reject) => {
        if (ended || closed) return reject(unavailable(name, ended))
        queue.push({ call: { name, args }, resolve, reject })
        send()
      }) as Promise<ReturnType<Statements[typeof name]>>
      return result
    },
    async close() {
      closed = true
      await idle()
      worker.postMessage('close')
      await exited
    },
  }
}

function unavailable(name: string, cause: Error | undefined): ApiError {
  return new ApiError('unavailable', 'The store did not take this; try again shortly', {
    cause: new Error(`"${name}" failed in the database`, { cause }),
  })
}
