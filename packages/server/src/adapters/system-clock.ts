/**
 * Time that follows the wall clock and never goes backwards. Between observations it advances with the monotonic clock.
 * In: the wall clock, which an operator, NTP, a suspended laptop or a restored VM may set. Out: `Clock`.
 * - The wall clock was set forward: its time is taken over after 3 s, so that a short error lets nothing expire.
 * - It was set back by at most 10 minutes: this clock runs at half speed until both agree.
 * - It was set back by more for 3 s: `onSetBack` is called, and this clock goes on. Only a new process can follow.
 * See docs/decisions/0037-clock.md.
 */
import { setTimeout as sleepFor } from 'node:timers/promises'
import type { Clock } from '../ports/clock.ts'

export interface SystemClockOptions {
  /** Called once, with the ms by which the wall clock was set back. Default: nothing happens. */
  onSetBack?(byMs: number): void
  /** Milliseconds since the Unix epoch. Default: `Date.now`. */
  wallTime?(): number
  /** Milliseconds since any moment; never goes backwards. Default: `performance.now`. */
  monotonicTime?(): number
}

const observeEveryMs = 250
/** A change of the wall clock is believed after this time. */
const believedAfterMs = 3_000
const longestSlowdownMs = 10 * 60_000

// Node.js fires a longer timer at once.
const longestTimerMs = 2 ** 31 - 1

interface Observation {
  atMs: number
  /** The wall clock minus the monotonic clock. */
  differenceMs: number
}

export function createSystemClock({
  onSetBack = () => undefined,
  wallTime = () => Date.now(),
  monotonicTime = () => performance.now(),
}: SystemClockOptions = {}): Clock {
  /** The time at the last observation, by the monotonic clock and by this clock. */
  let observedAtMs = monotonicTime()
  let nowMs = wallTime()
  /** How far this clock was ahead of the wall clock then. */
  let aheadMs = 0
  let isSetBack = false
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
    if (aheadMs <= longestSlowdownMs) return
    // Too far for half speed: keep the speed until it is clear that the wall clock stays there.
    aheadMs = 0
    const setBackMs = nowMs - atMs - Math.max(...differences)
    if (isSetBack || setBackMs <= longestSlowdownMs) return
    isSetBack = true
    onSetBack(setBackMs)
  }

  return {
    now() {
      const atMs = monotonicTime()
      if (atMs - observedAtMs >= observeEveryMs) observe(atMs)
      return Math.floor(timeAt(atMs))
    },
    wallTime,
    sleep: (ms, signal) =>
      // An abort is a normal end of a sleep, so the promise resolves.
      sleepFor(Math.min(Math.max(0, ms), longestTimerMs), undefined, { signal, ref: false }).catch(() => undefined),
  }
}
