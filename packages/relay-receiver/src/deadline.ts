/**
 * Limits how long a task may take.
 * In: the task, whose signal aborts at the deadline. Out: its result, or ReceiverError `deadline_passed`.
 */
import { ReceiverError } from './errors.ts'
import type { Clock } from './ports.ts'

export interface DeadlineOptions {
  clock: Clock
  deadlineMs: number
}

/** The task is not cancelled: a report accepted after the deadline is remembered, and its repetition is answered at once. */
export async function withDeadline<T>(
  { clock, deadlineMs }: DeadlineOptions,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const end = new AbortController()
  const late = clock.sleep(deadlineMs, end.signal).then(() => {
    throw new ReceiverError('deadline_passed', `The message was not accepted within ${deadlineMs} ms; send it again`)
  })
  try {
    return await Promise.race([task(end.signal), late])
  } finally {
    end.abort()
  }
}
