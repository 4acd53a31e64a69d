/** Runs calls that arrive together in one script. Limits the size of the batch and the time that a caller waits. */
import { createBatch, waitIterations } from '../../../concurrency/batch.ts'

export interface ScriptBatchOptions<C, R> {
  run(calls: C[], answerMs: number): Promise<R[]> | Promise<void>
  sizeOf(call: C): number
  nowMs?: () => number
}

/** Redis serves no other client while a script runs. */
const limits = { maxCalls: 512, maxBytes: 2 * 1024 * 1024 }
/**
 * A call that has waited longer is refused, because too little time is left for its answer. An answer that comes too
 * late closes the connection.
 */
const maxWaitMs = 1_000
/**
 * Limits for the answer, and for the wait and the answer together: a call that has waited gets less time for its
 * answer.
 */
const maxMs = { answer: 2_000, waitAndAnswer: 2_400 }

export function createScriptBatch<C, R = void>({ run, ...options }: ScriptBatchOptions<C, R>): (call: C) => Promise<R> {
  return createBatch<C, R>({
    run: (calls, { waitedMs }) => run(calls, Math.min(maxMs.answer, maxMs.waitAndAnswer - waitedMs)),
    wait: waitIterations(1),
    isSerial: true,
    maxWaitMs,
    ...limits,
    ...options,
  })
}
