/**
 * Answers validation messages only while the owner expects one.
 * In: how long one is expected. Out: nothing, or ReceiverError `unexpected_validation`.
 */
import { ReceiverError } from '../errors.ts'
import type { Clock } from '../ports.ts'

export interface ExpectedValidations {
  expect(options: { withinMs: number }): void
  /** @throws ReceiverError `unexpected_validation` */
  check(): void
}

export function createExpectedValidations(clock: Clock): ExpectedValidations {
  let untilMs = Number.NEGATIVE_INFINITY

  return {
    expect({ withinMs }) {
      if (!(withinMs > 0)) throw new RangeError(`"withinMs" must be over 0, got ${withinMs}`)
      untilMs = Math.max(untilMs, clock.now() + withinMs)
    },
    check() {
      if (clock.now() <= untilMs) return
      throw new ReceiverError('unexpected_validation', 'This address expects no validation now')
    },
  }
}
