/**
 * Limits how many tasks run at the same time.
 * In: a task. Out: its result, or ReceiverError `too_busy` at once if all slots are taken. There is no queue: the
 * service has one.
 */
import { ReceiverError } from '../errors.ts'

export type Slots = <T>(task: () => Promise<T>) => Promise<T>

export function createSlots(count: number): Slots {
  let taken = 0

  return async (task) => {
    if (taken >= count) {
      throw new ReceiverError('too_busy', `The receiver already works on ${count} reports; send the message again`)
    }
    taken++
    try {
      return await task()
    } finally {
      taken--
    }
  }
}
