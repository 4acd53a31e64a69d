import { expect, test } from 'vitest'
import { createHandedValues } from '../../src/adapters/redis/handed-values.ts'

test('what an entry says is handed over once', () => {
  const values = createHandedValues()
  const value = { positions: [] }
  values.add(1, '{"positions":[]}', { value })
  expect(values.take(1, '{"positions":[]}')?.value).toBe(value)
  expect(values.take(1, '{"positions":[]}')).toBeUndefined()
})

test('another text in the same place, of a Redis that lost the first, says something else', () => {
  const values = createHandedValues()
  values.add(1, '"lost"', { value: 'lost' })
  expect(values.take(1, '"new"')).toBeUndefined()
})

test('what others took is forgotten, oldest first, when there is no more room', () => {
  const values = createHandedValues()
  const megabyte = 1024 * 1024
  for (let seq = 1; seq <= 40; seq += 2) {
    values.add(seq, 'x'.repeat(megabyte), { value: seq })
    values.add(seq + 1, 'named', { value: seq + 1, body: Buffer.alloc(megabyte) })
  }
  const texts = (seq: number) => (seq % 2 === 1 ? 'x'.repeat(megabyte) : 'named')
  const all = Array.from({ length: 40 }, (_, n) => n + 1)
  // Room for 32, less what the names take.
  expect(all.filter((seq) => values.take(seq, texts(seq))?.value === seq)).toEqual(all.slice(9))
})
