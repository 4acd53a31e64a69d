/**
 * Resolves when this machine's clock was set back too far to follow, with the milliseconds; or when the signal aborts,
 * with undefined.
 */

import { longestSlowdownMs } from '@posrep/kernel/steady-time'
import { systemClock } from '../../ports.ts'

/** Also often enough for the clock to see every change of the wall clock. */
const lookEveryMs = 1_000

export async function untilSetBack(signal: AbortSignal): Promise<number | undefined> {
  while (!signal.aborted) {
    const setBackMs = systemClock.setBackMs()
    if (setBackMs > longestSlowdownMs) return setBackMs
    await systemClock.sleep(lookEveryMs, signal)
  }
  return undefined
}
