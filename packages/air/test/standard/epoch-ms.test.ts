import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toEpochMs } from '../../src/standard/epoch-ms.ts'

/** Years 0001 to 9999. */
const moments = fc.integer({ min: Date.parse('0001-01-02T00:00:00Z'), max: Date.parse('9999-12-30T00:00:00Z') })
const offsets = fc.record({
  sign: fc.constantFrom('+', '-'),
  hour: fc.integer({ min: 0, max: 23 }),
  minute: fc.integer({ min: 0, max: 59 }),
})
const two = (figure: number) => String(figure).padStart(2, '0')

test('any time in UTC is converted exactly', () => {
  fc.assert(
    fc.property(moments, (ms) => {
      expect(toEpochMs(new Date(ms).toISOString())).toBe(ms)
    }),
  )
})

test('a time with any offset is the same time in UTC', () => {
  fc.assert(
    fc.property(moments, offsets, (ms, { sign, hour, minute }) => {
      const shiftMs = (hour * 60 + minute) * 60_000 * (sign === '+' ? 1 : -1)
      const local = new Date(ms + shiftMs).toISOString().replace('Z', `${sign}${two(hour)}:${two(minute)}`)
      expect(toEpochMs(local)).toBe(ms)
    }),
  )
})

test.each([
  ['2026-01-07T12:00:30', Date.UTC(2026, 0, 7, 12, 0, 30)],
  ['2026-01-07t12:00:30z', Date.UTC(2026, 0, 7, 12, 0, 30)],
  ['2026-01-07T12:00:30.1', Date.UTC(2026, 0, 7, 12, 0, 30, 100)],
  ['2026-01-07T12:00:30.25Z', Date.UTC(2026, 0, 7, 12, 0, 30, 250)],
  ['2026-01-07T12:00:30.57', Date.UTC(2026, 0, 7, 12, 0, 30, 570)],
  ['2026-01-07T12:00:30.0005+00:00', Date.UTC(2026, 0, 7, 12, 0, 30) + 0.5],
  ['2024-02-29T23:59:59.999Z', Date.UTC(2024, 1, 29, 23, 59, 59, 999)],
  // A leap second counts as the second before it.
  ['2016-12-31T23:59:60Z', Date.UTC(2016, 11, 31, 23, 59, 59)],
  ['2017-01-01T05:29:60.5+05:30', Date.UTC(2016, 11, 31, 23, 59, 59, 500)],
  ['1969-12-31T23:59:59Z', -1_000],
])('%s is %d ms since the epoch', (time, ms) => {
  expect(toEpochMs(time)).toBe(ms)
})
