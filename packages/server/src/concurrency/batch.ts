/**
 * Groups calls that arrive together into one run: one transaction, one script or one write.
 * In: calls, one by one. Out: each call's own result; when a run fails, all its calls fail.
 */
import { setImmediate } from 'node:timers/promises'
import { ApiError } from '../errors.ts'

export interface BatchOptions<C, R> {
  /**
   * Returns one result per call, in the order of the calls; nothing if calls have no result.
   * @param info `waitedMs`: how long the oldest call has waited.
   */
  run(calls: C[], info: { waitedMs: number }): Promise<R[]> | Promise<void>
  /**
   * A run takes the calls that are made before this resolves. Default: the calls of the same step of the event loop.
   */
  wait?: () => Promise<unknown>
  /** Calls that arrive during a run wait for its end and share the next one. Default false: runs overlap. */
  isSerial?: boolean
  /** Limits of one run. A single call that exceeds `maxBytes` runs alone. Default: none. */
  maxCalls?: number
  maxBytes?: number
  /** Approximate size of a call in bytes. Default: 0. */
  sizeOf?: (call: C) => number
  /** A call that has waited longer is refused with `unavailable` and does not run. Default: no limit. */
  maxWaitMs?: number
  /** Default: the monotonic clock. */
  nowMs?: () => number
}

interface Waiting<C, R> {
  call: C
  sinceMs: number
  resolve(result: R): void
  reject(error: unknown): void
}

export function createBatch<C, R = void>({
  run,
  wait = async () => {},
  isSerial = false,
  maxCalls = Number.POSITIVE_INFINITY,
  maxBytes = Number.POSITIVE_INFINITY,
  sizeOf = () => 0,
  maxWaitMs = Number.POSITIVE_INFINITY,
  nowMs = () => performance.now(),
}: BatchOptions<C, R>): (call: C) => Promise<R> {
  let waiting: Waiting<C, R>[] = []
  let isActive = false

  async function runAll(): Promise<void> {
    while (waiting.length > 0) {
      await wait()
      refuseLate()
      if (isSerial) await runOnce(takeBatch())
      else while (waiting.length > 0) void runOnce(takeBatch())
    }
    isActive = false
  }

  async function runOnce(batch: Waiting<C, R>[]): Promise<void> {
    const [oldest] = batch
    if (!oldest) return
    try {
      const calls = batch.map(({ call }) => call)
      const results = await run(calls, { waitedMs: nowMs() - oldest.sinceMs })
      if (results && results.length !== batch.length) {
        throw new Error(`A batch of ${batch.length} calls got ${results.length} results`)
      }
      // If `run` returns nothing, R is void.
      for (const [index, { resolve }] of batch.entries()) resolve(results?.[index] as R)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  function refuseLate(): void {
    const earliestMs = nowMs() - maxWaitMs
    const firstInTime = waiting.findIndex(({ sinceMs }) => sinceMs >= earliestMs)
    const late = waiting.splice(0, firstInTime === -1 ? waiting.length : firstInTime)
    for (const { reject } of late) reject(new ApiError('unavailable', 'The store is slow; try again shortly'))
  }

  function takeBatch(): Waiting<C, R>[] {
    let calls = 0
    for (let bytes = 0; calls < Math.min(waiting.length, maxCalls); calls++) {
      const next = waiting[calls]
      bytes += next ? sizeOf(next.call) : 0
      if (calls > 0 && bytes > maxBytes) break
    }
    const batch = waiting.slice(0, calls)
    waiting = waiting.slice(calls)
    return batch
  }

  return (call) =>
    new Promise((resolve, reject) => {
      waiting.push({ call, sinceMs: nowMs(), resolve, reject })
      if (isActive) return
      isActive = true
      void runAll()
    })
}

/** Returns a function that waits for some iterations of the event loop; in an idle process they take microseconds. */
export function waitIterations(iterations: number): () => Promise<void> {
  return async () => {
    for (let n = 0; n < iterations; n++) await setImmediate()
  }
}
