/** Runs calls that arrive together in one script. Limits the size of the batch and the time that a caller waits. */
import { createBatch, waitIterations } from '../../../concurrency/batch.ts'

export interface ScriptBatchOptions<C, R> {
  /** How long a caller waits for the answer of a script that starts at once. */
  answerMs: number
  run(calls: C[], answerMs: number): Promise<R[]> | Promise<void>
  sizeOf(call: C): number
  nowMs?: () => number
}

/** Redis serves no other client while a script runs. */
const limits = { maxCalls: 512, maxBytes: 2 * 1024 * 1024 }
/**
 * Of `answerMs`. A call that has waited longer is refused, because too little time is left for its answer. An answer
 * that comes too late closes the connection.
 */
const maxWait = 0.5
/**
 * Of `answerMs`: the wait and the answer together. A call that has waited gets less time for its answer.
 */
const waitAndAnswer = 1.2

export function createScriptBatch<C, R = void>({
  answerMs,
  run,
  ...options
}: ScriptBatchOptions<C, R>): (call: C) => Promise<R> {
  return createBatch<C, R>({
    run: (calls, { waitedMs }) => run(calls, Math.min(answerMs, answerMs * waitAndAnswer - waitedMs)),
    wait: waitIterations(1),
    isSerial: true,
    maxWaitMs: answerMs * maxWait,
    ...limits,
    ...options,
  })
}
