/**
 * Limits how long a task may take.
 * In: the task, whose signal aborts at the deadline or with the caller's signal. Out: its result, or a rejection at
 * that moment; a task that ignores its signal goes on, and only the wait for it ends.
 */
import { abortable } from './abortable.ts'

export interface Deadline {
  clock: { sleep(ms: number, signal: AbortSignal): Promise<void> }
  ms: number
  /** Ends the task before the deadline. */
  signal?: AbortSignal | undefined
  /** Returns the error of a late task. */
  onLate?(): Error
}

export async function withDeadline<T>(
  { clock, ms, signal, onLate = () => new Error(`no complete response within ${ms} ms`) }: Deadline,
  task: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const late = new AbortController()
  const finished = new AbortController()
  void clock.sleep(ms, finished.signal).then(() => {
    if (!finished.signal.aborted) late.abort(onLate())
  })
  const ended = signal ? AbortSignal.any([late.signal, signal]) : late.signal
  try {
    // Not every thenable is a promise.
    return await abortable(Promise.resolve(task(ended)), ended)
  } finally {
    // `abort()` without a reason creates an error with a stack, which costs more than the rest of this file.
    finished.abort('finished')
  }
}
