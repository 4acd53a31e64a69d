import { expect, test } from 'vitest'
import { createHandedValues } from '../../src/adapters/redis/handed-values.ts'

test('what an entry says is handed over once', () => {
  const values = createHandedValues()
  const value = { positions: [] }
  values.add(1, '{"positions":[]}', value)
  expect(values.take(1, '{"positions":[]}')).toBe(value)
  expect(values.take(1, '{"positions":[]}')).toBeUndefined()
})

test('another text in the same place, of a Redis that lost the first, says something else', () => {
  const values = createHandedValues()
  values.add(1, '"lost"', 'lost')
  expect(values.take(1, '"new"')).toBeUndefined()
})

test('what others took is forgotten, oldest first, when there is no more room', () => {
  const values = createHandedValues()
  const body = 'x'.repeat(1024 * 1024)
  for (let seq = 1; seq <= 20; seq++) values.add(seq, body, seq)
  const kept = Array.from({ length: 20 }, (_, n) => n + 1).filter((seq) => values.take(seq, body) === seq)
  expect(kept).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
})
