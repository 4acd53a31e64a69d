import { expect, test } from 'vitest'
import { toTimeText } from '../../src/pages/time.tsx'

const now = Date.UTC(2026, 0, 7, 12, 4, 31)

test.each([
  [0, '0 s ago'],
  [59_999, '59 s ago'],
  [60_000, '12:03:31 UTC'],
  [-2_000, 'in 2 s'],
  [-120_000, '12:06:31 UTC'],
  [24 * 60 * 60_000, '6 Jan 2026, 12:04 UTC'],
])('a time %i ms ago is shown as "%s"', (agoMs, text) => {
  expect(toTimeText(now - agoMs, now)).toBe(text)
})
