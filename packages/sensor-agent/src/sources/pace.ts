/**
 * The pace of what this program plays: a recording, simulated aircraft.
 * In: a time since the start. Out: the time to write, when it has come. Waits do not add up. After a time in which
 * nothing could be sent, a suspended machine or a full spool, it goes on from there; after the wall clock was set, too,
 * nothing is sent at once.
 */
import type { Clock } from '../ports.ts'

export interface Pace {
  /** Resolves after `afterMs` since the start with the time of that moment; at once when `signal` aborts. */
  until(afterMs: number, signal: AbortSignal | undefined): Promise<number>
}

/** A play that is later than this goes on from now. */
const maxLateMs = 5_000
/** The wall clock was set when it differs by more. */
const toleranceMs = 1_000

export function createPace(clock: Clock): Pace {
  let startedAt = clock.elapsed()
  let startMs = clock.now()
  /** The latest time that was asked for: a recording may have earlier ones after it. */
  let furthestMs = 0
  return {
    async until(afterMs, signal) {
      furthestMs = Math.max(furthestMs, afterMs)
      const lateMs = clock.elapsed() - startedAt - furthestMs
      if (lateMs > maxLateMs) startedAt += lateMs
      else if (lateMs < 0 && afterMs === furthestMs) await clock.sleep(-lateMs, signal)
      const startNowMs = clock.now() - (clock.elapsed() - startedAt)
      if (Math.abs(startNowMs - startMs) > toleranceMs) startMs = Math.round(startNowMs)
      return startMs + afterMs
    },
  }
}
