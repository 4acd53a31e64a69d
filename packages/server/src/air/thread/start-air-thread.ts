/**
 * Starts the thread of the air pictures with the first request, and starts it again when it ends or hangs.
 * In: requests and commands. Out: replies, and frames. When the thread ends, its requests are refused, and all pictures
 * must be opened again.
 */
import { type ResourceLimits, Worker } from 'node:worker_threads'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import type {
  AirCommand,
  AirReplies,
  AirRequest,
  AirThreadData,
  AirThreadOptions,
  FromThread,
  ToThread,
} from './messages.ts'
import { AirThreadEnded, PictureNotOpen } from './thread-ended.ts'

export interface AirThread {
  /**
   * While the thread waits to be started again, requests wait, too.
   * @throws AirThreadEnded when the thread ends before it answers; PictureNotOpen; Error when the request fails
   */
  request<K extends AirRequest['kind']>(request: Extract<AirRequest, { kind: K }>): Promise<AirReplies[K]>
  command(command: AirCommand): void
  /** Calls `listener` with each frame, JSON of an AirFrame. */
  onFrame(listener: (accountId: string, frame: string) => void): void
  /** Increases when the thread is started again: all pictures were closed. */
  starts(): number
  close(): Promise<void>
}

export interface StartAirThreadOptions extends AirThreadOptions {
  logger: Logger
  clock: Clock
  /** Memory of the thread; beyond it the thread ends, and the process goes on. Default: V8's. */
  resourceLimits?: ResourceLimits
}

interface Pending {
  resolve(value: AirReplies[keyof AirReplies]): void
  reject(error: Error): void
}

/** The thread runs from source if this module does, and from the build otherwise. */
const threadUrl = import.meta.url.endsWith('.ts')
  ? new URL('./air-thread.ts', import.meta.url)
  : new URL(import.meta.resolve('#air-thread'))

/** Before the thread is started again. The pause doubles while the thread ends within `steadyMs`. */
const pauseMs = { first: 1_000, longest: 30_000 }
const steadyMs = 60_000
/** A thread that has requests and sends nothing in so many checks in a row hangs. */
const checkEveryMs = 10_000
const silentChecks = 3
/** With less real time since the check before it, a check says nothing: the clock of a test was advanced. */
const leastRealMs = 50
/** Ids are written to shared memory as 32-bit integers; 0 is none. */
const maxId = 2 ** 31 - 1

export function startAirThread({ logger, clock, resourceLimits, ...options }: StartAirThreadOptions): AirThread {
  const pending = new Map<number, Pending>()
  const listeners: ((accountId: string, frame: string) => void)[] = []
  /** The id of the request that the thread works on. */
  const atWork = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const closing = new AbortController()
  let lastId = 0
  let starts = 0
  /** Ends within `steadyMs` of the start, in a row. */
  let failures = 0
  let hasSpoken = false
  /** Undefined until the next request starts it. */
  let worker: Worker | undefined
  let pause: Promise<void> | undefined

  function start(): Worker {
    starts++
    const startedAtMs = clock.now()
    const ended = new AbortController()
    const workerData: AirThreadData = { ...options, atWork }
    const started = new Worker(threadUrl, { workerData, ...(resourceLimits && { resourceLimits }) })
    let reason: unknown
    started.on('message', receive)
    started.on('error', (error) => {
      reason = error
    })
    started.on('exit', () => {
      ended.abort()
      worker = undefined
      failures = clock.now() - startedAtMs < steadyMs ? failures + 1 : 1
      if (!closing.signal.aborted) rest(reason)
      refuseAll(Atomics.exchange(atWork, 0, 0))
    })
    void endIfHung(started, ended.signal)
    return started
  }

  function rest(reason: unknown): void {
    const restMs = Math.min(pauseMs.first * 2 ** (failures - 1), pauseMs.longest)
    const message = `the thread of the air picture has ended; it is started again in ${restMs / 1_000} s`
    logger.error({ err: reason }, message)
    pause = clock.sleep(restMs, closing.signal).then(() => {
      pause = undefined
    })
  }

  async function endIfHung(started: Worker, ended: AbortSignal): Promise<void> {
    let checkedAtMs = performance.now()
    for (let silent = 0; silent < silentChecks; ) {
      await clock.sleep(checkEveryMs, ended)
      if (ended.aborted) return
      if (performance.now() - checkedAtMs < leastRealMs) continue
      checkedAtMs = performance.now()
      silent = hasSpoken || pending.size === 0 ? 0 : silent + 1
      hasSpoken = false
    }
    logger.error({}, `the thread of the air picture has not answered for ${(checkEveryMs * silentChecks) / 1_000} s`)
    await started.terminate()
  }

  function refuseAll(idAtWork: number): void {
    const left = [...pending]
    pending.clear()
    for (const [id, { reject }] of left) reject(new AirThreadEnded(id === idAtWork))
  }

  function receive(message: FromThread): void {
    hasSpoken = true
    switch (message.kind) {
      case 'frame':
        for (const listener of listeners) listener(message.accountId, message.frame)
        break
      case 'reply':
        take(message.id)?.resolve(message.value)
        break
      case 'failed':
        take(message.id)?.reject(new Error(message.error))
        break
      case 'notOpen':
        take(message.id)?.reject(new PictureNotOpen(message.error))
        break
      case 'terrainFailed': {
        const consequence = 'heights above ground are left out where it does'
        logger.error({ err: message.error }, `the terrain function failed; ${consequence}`)
        break
      }
      case 'stepFailed': {
        const { accountId: account, error: err, times } = message
        logger.error({ account, err, times }, 'a step of the air picture failed; the picture goes on without it')
        break
      }
    }
  }

  function take(id: number): Pending | undefined {
    const found = pending.get(id)
    pending.delete(id)
    return found
  }

  return {
    async request<K extends AirRequest['kind']>(request: Extract<AirRequest, { kind: K }>) {
      if (pause) await pause
      if (closing.signal.aborted) throw new AirThreadEnded(false)
      worker ??= start()
      lastId = (lastId % maxId) + 1
      const answered = Promise.withResolvers<AirReplies[K]>()
      // The thread answers each request with the reply of its kind.
      const resolve = (value: AirReplies[keyof AirReplies]) => answered.resolve(value as AirReplies[K])
      pending.set(lastId, { resolve, reject: answered.reject })
      worker.postMessage({ kind: 'request', id: lastId, request } satisfies ToThread, buffersOf(request))
      return answered.promise
    },
    command: (command) => worker?.postMessage(command satisfies ToThread),
    onFrame: (listener) => void listeners.push(listener),
    starts: () => starts,
    async close() {
      closing.abort()
      await worker?.terminate()
    },
  }
}

function buffersOf(request: AirRequest): ArrayBuffer[] {
  if (request.kind !== 'reports') return []
  // `RecentTexts.take` has copied the bytes, so each has its own buffer, which is not shared.
  return request.reports.flatMap(({ text }) => (typeof text === 'string' ? [] : [text.buffer as ArrayBuffer]))
}
