import { expect, test } from 'vitest'
import { createMemoryStore } from '../../src/adapters/memory/store.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { changeStored } from '../../src/ports/storage/store.ts'

const add = (current = 0) => current + 1

test('none of 50 changes at the same time is lost, and each gets the value before it', async () => {
  const store = createMemoryStore({ clock: createManualClock() })
  const before = await Promise.all(Array.from({ length: 50 }, () => changeStored(store, 'count', add, 1_000)))

  expect(await store.get('count')).toBe(50)
  expect(new Set(before).size).toBe(50)
})

test('a change that has no next value writes nothing', async () => {
  const clock = createManualClock()
  const store = createMemoryStore({ clock })
  await store.put('count', 7, 1_000)

  expect(await changeStored(store, 'count', () => undefined, 60_000)).toBe(7)
  await clock.advance(1_000)
  expect(await store.get('count')).toBeUndefined()
})
