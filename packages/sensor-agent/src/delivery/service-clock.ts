/**
 * Compares this machine's clock with the service's.
 * In: the `Date` header of answers. Out: the offset, an alarm when the clocks differ too much, and what sources add to
 * this machine's time.
 */

import { longestSlowdownMs } from '@posrep/kernel/steady-time'
import { describeDuration } from '../describe-duration.ts'
import { AgentError } from '../errors.ts'
import type { Clock } from '../ports.ts'
import { type ClockOffset, createClockOffset } from './clock-offset.ts'

export interface ServiceClockOptions {
  clock: Clock
  /** Whether sources correct their times. */
  corrects: boolean
  onAlarm(error: AgentError): void
}

export interface ServiceClock {
  observe(date: string | null, sentAtMs: number, receivedAtMs: number): void
  offset(): ClockOffset | undefined
  isWrong(): boolean
  correctionMs(): number
}

/** A larger difference is an alarm: the service tags positions that are in the future. */
const wrongMs = 5_000
/** An answer that took longer says too little. */
const maxErrorMs = 1_000

export function createServiceClock({ clock, corrects, onAlarm }: ServiceClockOptions): ServiceClock {
  const estimate = createClockOffset(clock)
  let isWrong = false
  let correctionMs = 0

  return {
    observe(date, sentAtMs, receivedAtMs) {
      estimate.observe(date, sentAtMs, receivedAtMs)
      const offset = estimate.value()
      if (!offset) return
      if (corrects) correct(offset)
      const wasWrong = isWrong
      const setBackMs = clock.setBackMs()
      // Its clock may be right: it is this process that follows slowly, or cannot.
      const offsetMs = offset.offsetMs + (setBackMs > longestSlowdownMs ? 0 : setBackMs)
      isWrong = Math.abs(offsetMs) - offset.errorMs > wrongMs
      if (isWrong && !wasWrong) onAlarm(toAlarm(offsetMs, setBackMs, corrects))
    },
    offset: estimate.value,
    isWrong: () => isWrong,
    correctionMs: () => correctionMs,
  }

  /** A correction that may still be right is kept, so that the times of a track do not jump with each answer. */
  function correct({ offsetMs, errorMs }: ClockOffset): void {
    if (errorMs <= maxErrorMs && Math.abs(offsetMs - correctionMs) > errorMs) correctionMs = offsetMs
  }
}

function toAlarm(offsetMs: number, setBackMs: number, corrects: boolean): AgentError {
  if (setBackMs > longestSlowdownMs) {
    const message = `This machine's clock was set back by ${describeDuration(setBackMs)}, which a running program cannot follow; start it again`
    return new AgentError('clock_wrong', message)
  }
  const difference = `${describeDuration(Math.abs(offsetMs))} ${offsetMs > 0 ? 'behind' : 'ahead of'}`
  const advice = corrects
    ? 'set it (NTP); times that the agent takes from it are corrected'
    : 'set it (NTP), or let the agent correct the times that it takes from it: "correctClock", --correct-clock'
  return new AgentError('clock_wrong', `This machine's clock is ${difference} the service's; ${advice}`)
}
