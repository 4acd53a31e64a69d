import { expect, test } from 'vitest'
import { createGatheredBytes } from '../src/gathered-bytes.ts'

test('pieces of any size are taken as they were added, once', () => {
  const gathered = createGatheredBytes()
  for (const size of [1, 0, 1_500, 1, 4_000]) gathered.add(new Uint8Array(size).fill(size % 251))

  expect(gathered.length()).toBe(5_502)
  const expected = [1, 1_500, 1, 4_000].flatMap((size) => Array.from({ length: size }, () => size % 251))
  expect([...gathered.take()]).toEqual(expected)
  expect([gathered.length(), gathered.take().byteLength]).toEqual([0, 0])
})

test('what was taken does not change when more is added', () => {
  const gathered = createGatheredBytes()
  gathered.add(Uint8Array.of(1))
  const taken = gathered.take()
  gathered.add(Uint8Array.of(2))
  expect([...taken]).toEqual([1])
})

test('very many small pieces take little more memory than their bytes', () => {
  const gathered = createGatheredBytes()
  const piece = Uint8Array.of(7)
  for (let n = 0; n < 100_000; n++) gathered.add(piece)
  const taken = gathered.take()
  expect([taken.byteLength, taken.buffer.byteLength]).toEqual([100_000, 100_000])
  expect(taken.every((byte) => byte === 7)).toBe(true)
})
