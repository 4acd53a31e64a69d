/**
 * Estimates how far the service's clock is ahead of this machine's.
 * In: the `Date` header of answers, and when the request was sent and the answer came. Out: the offset and its greatest
 * error. A `Date` is cut to whole seconds and was written between sending and receiving. Each answer so gives an
 * interval that contains the offset; the intervals of many answers have a small part in common.
 */

import type { Clock } from '../ports.ts'

export interface ClockOffset {
  /** The service's clock minus this machine's, in ms. */
  offsetMs: number
  /** The true offset is at most this far away, in ms. */
  errorMs: number
}

export interface ClockOffsetEstimate {
  observe(date: string | null, sentAtMs: number, receivedAtMs: number): void
  /** Undefined before the first answer with a `Date`. */
  value(): ClockOffset | undefined
}

// Clocks drift by up to 100 ppm; the interval grows by as much, so that it follows.
const driftPerMs = 1e-4

export function createClockOffset(clock: Pick<Clock, 'elapsed'>): ClockOffsetEstimate {
  let interval: { from: number; to: number; elapsedMs: number } | undefined

  return {
    observe(date, sentAtMs, receivedAtMs) {
      const dateMs = date === null ? Number.NaN : Date.parse(date)
      if (Number.isNaN(dateMs)) return
      const from = dateMs - receivedAtMs
      const to = dateMs + 1_000 - sentAtMs
      const elapsedMs = clock.elapsed()
      const driftMs = interval ? (elapsedMs - interval.elapsedMs) * driftPerMs : 0
      const commonFrom = Math.max(from, (interval?.from ?? from) - driftMs)
      const commonTo = Math.min(to, (interval?.to ?? to) + driftMs)
      // Nothing in common: one of the clocks was set.
      const isCommon = commonFrom <= commonTo
      interval = { from: isCommon ? commonFrom : from, to: isCommon ? commonTo : to, elapsedMs }
    },
    value() {
      if (!interval) return undefined
      const { from, to } = interval
      return { offsetMs: Math.round((from + to) / 2), errorMs: Math.ceil((to - from) / 2) }
    },
  }
}
