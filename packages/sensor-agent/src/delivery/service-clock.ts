/**
 * Compares this machine's clock with the service's.
 * In: the `Date` header of answers. Out: the offset, an alarm when the clocks differ too much, and what sources add to this machine's time.
 */
import { AgentError } from '../errors.ts'
import { type ClockOffset, createClockOffset } from './clock-offset.ts'

export interface ServiceClockOptions {
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

export function createServiceClock({ corrects, onAlarm }: ServiceClockOptions): ServiceClock {
  const estimate = createClockOffset()
  let isWrong = false
  let correctionMs = 0

  return {
    observe(date, sentAtMs, receivedAtMs) {
      estimate.observe(date, sentAtMs, receivedAtMs)
      const offset = estimate.value()
      if (!offset) return
      if (corrects) correct(offset)
      const wasWrong = isWrong
      isWrong = Math.abs(offset.offsetMs) - offset.errorMs > wrongMs
      if (isWrong && !wasWrong) onAlarm(toAlarm(offset, corrects))
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

function toAlarm({ offsetMs }: ClockOffset, corrects: boolean): AgentError {
  const seconds = `${Math.abs(offsetMs / 1_000).toFixed(1)} s ${offsetMs > 0 ? 'behind' : 'ahead of'}`
  const advice = corrects
    ? 'set it (NTP); times that the agent takes from it are corrected'
    : 'set it (NTP), or let the agent correct the times that it takes from it: "correctClock", --correct-clock'
  return new AgentError('clock_wrong', `This machine's clock is ${seconds} the service's; ${advice}`)
}
