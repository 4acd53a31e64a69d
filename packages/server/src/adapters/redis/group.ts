/**
 * Lets calls that arrive together share one step in Redis, and those that arrive meanwhile the next one.
 * In: calls, one by one. Out: each one's own result; where the step fails, all that shared it fail. More calls than a slow
 * Redis gets through are refused with `unavailable`, the oldest ones, without asking.
 */
import { ApiError } from '../../errors.ts'

export interface GroupOptions<C, R> {
  /** One result per call, in their order. */
  run(calls: C[], answerMs: number): Promise<R[]>
  /** Bytes that a call takes, roughly. */
  sizeOf(call: C): number
  /** Default: the monotonic clock. */
  nowMs?: () => number
}

interface Waiting<C, R> {
  call: C
  sinceMs: number
  resolve(result: R): void
  reject(error: unknown): void
}

/** One step keeps everybody else waiting, so it has its bounds; a single call that is larger goes alone. */
const mostCalls = 512
const mostBytes = 2 * 1024 * 1024
/** A call that waited for its turn gets less time for its answer, so that both together stay below 2.5 s. */
const answerMs = { most: 2_000, withWaiting: 2_400 }
/**
 * One that waited longer is refused: with the time that is left, an answer that is only slow would be given up, and the
 * connection with it, again and again.
 */
const longestWaitMs = 1_000

export function createGroup<C, R>({
  run,
  sizeOf,
  nowMs = () => performance.now(),
}: GroupOptions<C, R>): (call: C) => Promise<R> {
  let waiting: Waiting<C, R>[] = []
  let isUnderWay = false

  async function runAll(): Promise<void> {
    for (;;) {
      refuseLate()
      const together = takeTogether()
      const [oldest] = together
      if (!oldest) break
      const leftMs = answerMs.withWaiting - (nowMs() - oldest.sinceMs)
      try {
        const results = await run(
          together.map(({ call }) => call),
          Math.min(answerMs.most, leftMs),
        )
        if (results.length !== together.length) {
          throw new Error(`Redis answered ${results.length} of ${together.length} calls`)
        }
        for (const [place, result] of results.entries()) together[place]?.resolve(result)
      } catch (error) {
        for (const { reject } of together) reject(error)
      }
    }
    isUnderWay = false
  }

  function refuseLate(): void {
    const sinceMs = nowMs() - longestWaitMs
    const inTime = waiting.findIndex((call) => call.sinceMs >= sinceMs)
    const late = waiting.splice(0, inTime === -1 ? waiting.length : inTime)
    for (const { reject } of late) reject(new ApiError('unavailable', 'The store is slow; try again shortly'))
  }

  function takeTogether(): Waiting<C, R>[] {
    let calls = 0
    for (let bytes = 0; calls < Math.min(waiting.length, mostCalls); calls++) {
      const next = waiting[calls]
      bytes += next ? sizeOf(next.call) : 0
      if (calls > 0 && bytes > mostBytes) break
    }
    const together = waiting.slice(0, calls)
    waiting = waiting.slice(calls)
    return together
  }

  return (call) =>
    new Promise((resolve, reject) => {
      waiting.push({ call, sinceMs: nowMs(), resolve, reject })
      if (isUnderWay) return
      isUnderWay = true
      // What arrived on other connections in this turn of the event loop comes along.
      setImmediate(() => void runAll())
    })
}
