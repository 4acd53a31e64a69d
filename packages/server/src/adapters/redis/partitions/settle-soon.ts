/**
 * Waits for calls to several partitions, but not long for those whose node hangs.
 * In: promises that do not reject. Out: resolves when all have resolved, or after some time.
 */
import type { Clock } from '../../../ports/clock.ts'

/** A node that works answers much sooner. */
const patienceMs = 250

export async function settleSoon(clock: Clock, calls: Promise<void>[]): Promise<void> {
  const waiting = new AbortController()
  await Promise.race([Promise.all(calls), clock.sleep(patienceMs, waiting.signal)])
  waiting.abort()
}
