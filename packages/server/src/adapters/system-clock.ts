/**
 * The server's time, over the clocks of the machine.
 * In: the wall clock, which an operator, NTP, a suspended laptop or a restored VM may set. Out: `Clock`. When the wall
 * clock was set back by more than 10 minutes for 3 s, `onSetBack` is called, and this clock goes on: only a new process
 * can follow.
 */
import { setTimeout as sleepFor } from 'node:timers/promises'
import { createSteadyTime } from '@posrep/kernel/steady-time'
import type { Clock } from '../ports/clock.ts'

export interface SystemClockOptions {
  /** Called once, with the ms by which the wall clock was set back. Default: nothing happens. */
  onSetBack?(byMs: number): void
  /** Milliseconds since the Unix epoch. Default: `Date.now`. */
  wallTime?(): number
  /** Milliseconds since any moment; never goes backwards. Default: `performance.now`. */
  monotonicTime?(): number
}

// Node.js fires a longer timer at once.
const longestTimerMs = 2 ** 31 - 1

export function createSystemClock({
  onSetBack = () => {},
  wallTime = () => Date.now(),
  monotonicTime = () => performance.now(),
}: SystemClockOptions = {}): Clock {
  const { now } = createSteadyTime({ wallTime, monotonicTime }, onSetBack)

  return {
    now,
    wallTime,
    sleep: (ms, signal) =>
      // An abort is a normal end of a sleep, so the promise resolves.
      sleepFor(Math.min(Math.max(0, ms), longestTimerMs), undefined, { signal, ref: false }).catch(() => undefined),
  }
}
