/**
 * Limits how long a task may take.
 * In: the task, whose signal aborts when the time is over. Out: its result, or the error of `onLate`.
 */
import type { Clock } from '../ports.ts'

export interface DeadlineOptions {
  clock: Clock
  ms: number
  onLate: () => Error
}

/** `abort()` without a reason creates an error with a stack, which costs more than the rest of this file. */
const settled = 'settled'

/** The task itself goes on; only the wait for it ends. */
export async function withDeadline<T>(
  { clock, ms, onLate }: DeadlineOptions,
  task: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const finished = new AbortController()
  const late = clock.sleep(ms, finished.signal).then(() => {
    if (finished.signal.aborted) return
    over.abort()
    throw onLate()
  })
  // After the task has settled nobody waits for it.
  late.catch(() => {})
  try {
    // `late` resolves only after the task has settled, so the race never ends without a result.
    return (await Promise.race([task(over.signal), late])) as T
  } finally {
    finished.abort(settled)
  }
}
