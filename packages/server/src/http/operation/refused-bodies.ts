/**
 * Limits how much an account sends that is refused. Large bodies are read in threads (`reports/report-readers.ts`); one
 * that is not valid costs this thread up to 100 ms, while 1 kB on the wire inflates to 1 MiB of it.
 * In: who sends, and the inflated bytes. Out: nothing, or ApiError `too_many_requests` before the next body is read.
 */
import type { Clock } from '../../ports/clock.ts'
import { createThrottle, type Throttle } from '../throttle.ts'

const perMinuteBytes = 16 * 1024 * 1024

export type RefusedBodies = Pick<Throttle, 'check' | 'count'>

export function createRefusedBodies({ clock }: { clock: Clock }): RefusedBodies {
  return createThrottle({
    clock,
    limit: perMinuteBytes,
    windowMs: 60_000,
    message: 'More than 16 MiB of bodies that were not valid, by this account in a minute',
  })
}

/** Where no body has to be limited. */
export const unlimitedRefusals: RefusedBodies = { check() {}, count() {} }
