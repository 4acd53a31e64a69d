import { expect, test } from 'vitest'
import { backoffMs, retryAfterMs } from '../../../src/relays/courier/backoff.ts'

test('the longest wait doubles from 1 s to 5 min', () => {
  expect([1, 2, 3, 9, 10, 1_000].map((attempt) => backoffMs(attempt, 0.999_999))).toEqual([
    1_000, 2_000, 4_000, 256_000, 300_000, 300_000,
  ])
})

test('the wait is random, from 50 ms to the longest', () => {
  expect([backoffMs(5, 0.5), backoffMs(5, 0)]).toEqual([8_000, 50])
})

const now = Date.UTC(2026, 0, 7, 6)

test.each([
  ['7', 7_000],
  ['Wed, 07 Jan 2026 06:00:09 GMT', 9_000],
  [' 7 ', 7_000],
  ['Wednesday, 07-Jan-26 06:00:09 GMT', 9_000],
  ['Wed Jan  7 06:00:09 2026', 9_000],
  ['99999999', 300_000],
  ['9'.repeat(400), 300_000],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 300_000],
])('Retry-After "%s" is a wait of %i ms', (header, ms) => {
  expect(retryAfterMs(header, now)).toBe(ms)
})

test.each([
  undefined,
  '',
  '0',
  '-5',
  'soon',
  'Wed, 07 Jan 2026 05:00:00 GMT',
  'Friday, 31-Dec-99 23:59:59 GMT',
  '1.5',
  '+7',
  '7 s',
  '1e3',
  '2026-01-07T06:00:09Z',
  '7, 7',
  'Wed, 07 Jan 2026 06:00:09 +0000',
  'Wed, 99 Jan 2026 06:00:09 GMT',
])('Retry-After "%s" is ignored', (header) => {
  expect(retryAfterMs(header, now)).toBeUndefined()
})
