import { expect, test } from 'vitest'
import { createQueues } from '../../../src/adapters/queues/queues.ts'

const all = { queues: 10, entries: 10, leaseMs: 1_000 }

function entry(seq: number) {
  return { seq, appendedAtMs: 0, bytes: 100 }
}

test('after all entries are removed, only later ones are leased and counted', () => {
  const queues = createQueues()
  for (const [seq, name] of ['a', 'b', 'c'].entries()) queues.append(name, entry(seq + 1), 0)
  queues.clear()

  expect(queues.lease(all, 0)).toEqual([])
  expect([queues.depth(), queues.bytesOfClient('a')]).toEqual([{ waiting: 0, oldestAppendedAtMs: null }, 0])

  queues.append('a', entry(4), 0)
  expect(queues.lease(all, 0).map(({ name, entries }) => [name, entries.map(({ seq }) => seq)])).toEqual([['a', [4]]])
  expect(queues.bytesOfClient('a')).toBe(100)
})
