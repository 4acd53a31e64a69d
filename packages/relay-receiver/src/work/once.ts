/**
 * Runs the task of one message once.
 * In: an ID and a task. Out: whether the task had already succeeded. A repetition that arrives while the task runs has
 * the same outcome as the first attempt. A failed task is not remembered, so the next attempt runs it again.
 */

import { withDeadline } from '@posrep/kernel/with-deadline'
import { ReceiverError } from '../errors.ts'
import type { Clock } from '../ports.ts'
import type { DeduplicationStore } from '../stores/deduplication-store.ts'
import type { Slots } from './slots.ts'

export interface OnceOptions {
  store: DeduplicationStore
  /** Limits the tasks. A repetition that waits for the first attempt needs no slot. */
  slots: Slots
  clock: Clock
}

export type Outcome = 'accepted' | 'repeated'

export type Once = (id: string | undefined, task: () => Promise<void>) => Promise<Outcome>

/** A store that hangs must not keep a message from being tried again. */
const storeTimeoutMs = 3_000

export function createOnce({ store, slots, clock }: OnceOptions): Once {
  const running = new Map<string, Promise<Outcome>>()

  return (id, task) => {
    if (id === undefined) return slots(task).then(() => 'accepted')
    const first = running.get(id)
    if (first) return first
    const run = slots(() => runOnce(id, task)).finally(() => running.delete(id))
    running.set(id, run)
    return run
  }

  async function runOnce(id: string, task: () => Promise<void>): Promise<Outcome> {
    if (await inTime(() => store.has(id))) return 'repeated'
    await task()
    await inTime(() => store.add(id))
    return 'accepted'
  }

  async function inTime<T>(use: () => Promise<T>): Promise<T> {
    try {
      const onLate = () => new Error(`The store of message IDs did not answer within ${storeTimeoutMs} ms`)
      return await withDeadline({ clock, ms: storeTimeoutMs, onLate }, use)
    } catch (cause) {
      throw new ReceiverError('store_unavailable', 'The message cannot be checked for repetition now; send it again', {
        cause,
      })
    }
  }
}
