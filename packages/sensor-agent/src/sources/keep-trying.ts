/**
 * Runs an attempt again and again until the source is stopped: a connection that is lost, a file that does not exist
 * yet.
 * In: one attempt, which calls `succeeded()` when it works. Out: nothing; each failure is told once, with the wait
 * before the next try.
 */

import { toReason } from '../errors.ts'
import { backoffMs } from '../http/backoff.ts'
import type { Sink } from './source.ts'

const minWaitMs = 500

export async function keepTrying(
  { signal, clock, random, state }: Sink,
  attempt: (succeeded: () => void) => Promise<void>,
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    let reason = 'the connection was closed'
    try {
      await attempt(() => (failures = 0))
    } catch (error) {
      reason = toReason(error)
    }
    if (signal.aborted) return
    const waitMs = Math.max(minWaitMs, Math.min(backoffMs(failures, random), 30_000))
    failures += 1
    state(`${reason}; next try in ${(waitMs / 1_000).toFixed(1)} s`)
    await clock.sleep(waitMs, signal)
  }
}
