/** A batch of calls that one script runs, within what a caller waits for and what Redis can do without delaying others. */
import { createBatch, waitTurns } from '../../../concurrency/batch.ts'

export interface ScriptBatchOptions<C, R> {
  run(calls: C[], answerMs: number): Promise<R[]> | Promise<void>
  sizeOf(call: C): number
  nowMs?: () => number
}

/** Redis answers nobody else during a script. */
const limits = { maxCalls: 512, maxBytes: 2 * 1024 * 1024 }
/**
 * A call that waited longer is refused: in the time that is left, Redis would have to answer fast, and an answer that is
 * only slow closes the connection, again and again.
 */
const maxWaitMs = 1_000
/** A call that waited for its run gets less time for its answer: both together stay below 2.5 s. */
const answerMs = { most: 2_000, withWaiting: 2_400 }

export function createScriptBatch<C, R = void>({ run, ...options }: ScriptBatchOptions<C, R>): (call: C) => Promise<R> {
  return createBatch<C, R>({
    run: (calls, { waitedMs }) => run(calls, Math.min(answerMs.most, answerMs.withWaiting - waitedMs)),
    wait: waitTurns(1),
    isSerial: true,
    maxWaitMs,
    ...limits,
    ...options,
  })
}
