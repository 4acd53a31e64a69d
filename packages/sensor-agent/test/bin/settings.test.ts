import { expect, test } from 'vitest'
import { toNumber } from '../../src/bin/settings.ts'

test('a number may be as small as the limit, and not smaller, empty or endless', () => {
  expect(toNumber('--speed', '0.001', 0.001)).toBe(0.001)
  for (const text of ['0.0009', '', ' ', 'Infinity', 'x']) {
    expect(() => toNumber('--speed', text, 0.001)).toThrow('"--speed" must be a number of 0.001 or more')
  }
})
