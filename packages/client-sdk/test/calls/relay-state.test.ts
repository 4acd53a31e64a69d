import { expect, test } from 'vitest'
import { fromRelayStateNumber, toRelayStateNumber } from '../../src/index.ts'

test('relay states have a number and a name', () => {
  for (const [state, number] of [
    ['Active', 1],
    ['Inactive', 2],
    ['Failed', 3],
  ] as const) {
    expect(toRelayStateNumber(state)).toBe(number)
    expect(fromRelayStateNumber(number)).toBe(state)
  }
})
