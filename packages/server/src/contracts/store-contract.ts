/** The contract of every `Store`: tests that each run on a new store. */
import assert from 'node:assert/strict'
import type { Store } from '../ports/storage/store.ts'
import { createFact, type RegisterTest, type Subject } from './contract.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'

export function storeContract(
  test: RegisterTest,
  create: (options: { clock: ManualClock }) => Promise<Subject<Store>>,
): void {
  const fact = createFact(test, create, () => ({ clock: createManualClock() }))

  fact('a stored value is read back unchanged', async (store) => {
    const value = { text: 'Länsi "roof" 🛰', list: [1, null, { deep: true }], ['__proto__']: 'data' }
    await store.put('key', value, 1_000)
    assert.deepEqual(await store.get('key'), value)
  })

  fact('a key that was never put reads as undefined', async (store) => {
    assert.equal(await store.get('nothing'), undefined)
  })

  fact('a value expires at the end of its time to live', async (store, { clock }) => {
    await store.put('key', 1, 1_000)
    await clock.advance(999)
    assert.equal(await store.get('key'), 1)
    await clock.advance(1)
    assert.equal(await store.get('key'), undefined)
    assert.equal(await store.take('key'), undefined)
  })

  fact('a time to live that is not positive is refused', async (store) => {
    for (const ttlMs of [0, -1, Number.NaN]) await assert.rejects(store.put('key', 1, ttlMs), RangeError)
    assert.equal(await store.get('key'), undefined)
  })

  fact('exactly one of 100 concurrent takers gets the value', async (store) => {
    await store.put('key', 'once', 1_000)
    const taken = await Promise.all(Array.from({ length: 100 }, () => store.take('key')))
    assert.deepEqual(
      taken.filter((value) => value !== undefined),
      ['once'],
    )
  })

  fact('exactly one of 100 concurrent replacements of a value succeeds', async (store) => {
    await store.put('key', { generation: 0 }, 1_000)
    const won = await Promise.all(
      Array.from({ length: 100 }, (_, writer) =>
        store.replace('key', { generation: 0 }, { generation: 1, writer }, 1_000),
      ),
    )
    assert.equal(won.filter(Boolean).length, 1)
    assert.deepEqual(await store.get('key'), { generation: 1, writer: won.indexOf(true) })
  })

  fact('a replacement that expects no value writes only when there is none', async (store, { clock }) => {
    assert.equal(await store.replace('key', undefined, 'first', 1_000), true)
    assert.equal(await store.replace('key', undefined, 'second', 1_000), false)
    await clock.advance(1_000)
    assert.equal(await store.replace('key', undefined, 'third', 1_000), true)
    assert.equal(await store.get('key'), 'third')
  })

  fact('a deletion reports whether there was a value', async (store) => {
    await store.put('key', 1, 1_000)
    assert.equal(await store.delete('key'), true)
    assert.equal(await store.delete('key'), false)
  })
}
