/**
 * Waits. In: a time in ms. Out: a promise that resolves after it, and rejects with the signal's reason when that
 * aborts.
 */
import { abortable } from '@posrep/kernel/abortable'
import type { Clock } from '../ports.ts'

export async function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  let stop = () => {}
  const wait = new Promise<void>((resolve) => {
    stop = clock.startTimer(ms, resolve)
  })
  try {
    await (signal ? abortable(wait, signal) : wait)
  } finally {
    stop()
  }
}
