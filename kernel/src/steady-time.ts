/**
 * Time that follows the wall clock and never goes backwards (docs/decisions/0037-clock.md). Between observations it
 * advances with the monotonic clock.
 * In: the wall clock, which an operator, NTP or a suspended machine may set; the monotonic clock. Out: the time, and
 * how far behind it the wall clock is.
 * - The wall clock was set forward: its time is taken over after 3 s, so that a short error lets nothing expire.
 * - It was set back by at most 10 minutes: this clock runs at half speed until both agree.
 * - It was set back by more for 3 s: this clock goes on, and only a new process can follow.
 */

export interface SteadyTime {
  /** Milliseconds since the Unix epoch, UTC. */
  now(): number
  /**
   * How far the wall clock was set back and `now` has not followed yet, in ms. More than 10 minutes are never followed.
   */
  setBackMs(): number
}

export interface TimeSources {
  /** Milliseconds since the Unix epoch. */
  wallTime(): number
  /** Milliseconds since any moment; never goes backwards, and may stop while the machine is suspended. */
  monotonicTime(): number
}

/** A clock that was set back by more cannot be followed. */
export const longestSlowdownMs = 10 * 60_000

const observeEveryMs = 250
/** A change of the wall clock is believed after this time. */
const believedAfterMs = 3_000

interface Observation {
  atMs: number
  /** The wall clock minus the monotonic clock. */
  differenceMs: number
}

/** @param onSetBack Called once, with the ms by which the wall clock was set back further than this clock follows. */
export function createSteadyTime(
  { wallTime, monotonicTime }: TimeSources,
  onSetBack: (byMs: number) => void = () => {},
): SteadyTime {
  /** The time at the last observation, by the monotonic clock and by this clock. */
  let observedAtMs = monotonicTime()
  let nowMs = wallTime()
  /** How far this clock was ahead of the wall clock then. */
  let aheadMs = 0
  /** The same, when it is too far to follow. */
  let setBackMs = 0
  let hasTold = false
  /** The observations of the last 3 s, and the last one before. */
  let observations: Observation[] = [{ atMs: observedAtMs, differenceMs: nowMs - observedAtMs }]

  /** At half speed while it is ahead. */
  function timeAt(atMs: number): number {
    const elapsedMs = atMs - observedAtMs
    return nowMs + elapsedMs - Math.min(elapsedMs / 2, aheadMs)
  }

  function observe(atMs: number): void {
    const differenceMs = wallTime() - atMs
    observations.push({ atMs, differenceMs })
    const firstRecent = observations.findIndex((observation) => observation.atMs > atMs - believedAfterMs)
    observations = observations.slice(Math.max(0, firstRecent - 1))
    const differences = observations.map((observation) => observation.differenceMs)

    nowMs = Math.max(timeAt(atMs), atMs + Math.min(...differences))
    observedAtMs = atMs
    aheadMs = Math.max(0, nowMs - atMs - differenceMs)
    setBackMs = 0
    if (aheadMs <= longestSlowdownMs) return
    // Too far for half speed: keep the speed, and say so once it is clear that the wall clock stays there.
    aheadMs = 0
    const leastMs = nowMs - atMs - Math.max(...differences)
    if (leastMs <= longestSlowdownMs) return
    setBackMs = leastMs
    if (!hasTold) onSetBack(setBackMs)
    hasTold = true
  }

  function observeIfDue(): number {
    const atMs = monotonicTime()
    if (atMs - observedAtMs >= observeEveryMs) observe(atMs)
    return atMs
  }

  return {
    now: () => Math.floor(timeAt(observeIfDue())),
    setBackMs() {
      const atMs = observeIfDue()
      return setBackMs > 0 ? setBackMs : Math.max(0, aheadMs - (atMs - observedAtMs) / 2)
    },
  }
}
