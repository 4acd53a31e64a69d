/**
 * The tests that every DeduplicationStore must pass; run them over your own implementation.
 * In: the test function of a test runner, and a function that creates an empty store. Out: registered tests.
 */
import type { DeduplicationStore } from './deduplication-store.ts'

/** Registers a test, for example `test` of node:test or Vitest. */
export type RegisterTest = (name: string, run: () => Promise<void>) => unknown

export function deduplicationStoreContract(
  test: RegisterTest,
  createStore: () => DeduplicationStore | Promise<DeduplicationStore>,
): void {
  test('an ID that was not added is unknown', async () => {
    const store = await createStore()
    expectEqual(await store.has('urn:aa:device:acme:roof1/msg_1'), false)
  })

  test('an ID that was added is known, and others are not', async () => {
    const store = await createStore()
    await store.add('urn:aa:device:acme:roof1/msg_1')
    expectEqual(await store.has('urn:aa:device:acme:roof1/msg_1'), true)
    expectEqual(await store.has('urn:aa:device:acme:roof1/msg_2'), false)
    expectEqual(await store.has('urn:aa:device:acme:roof2/msg_1'), false)
    expectEqual(await store.has('URN:aa:device:acme:roof1/msg_1'), false)
  })

  test('an ID that was added twice is known', async () => {
    const store = await createStore()
    await store.add('msg_1')
    await store.add('msg_1')
    expectEqual(await store.has('msg_1'), true)
  })

  test('any characters and the longest ID are kept apart', async () => {
    const store = await createStore()
    const ids = ['__proto__', 'a:b', 'a::b', 'a*', 'ä', '%C3%A4', ' ', `${'x'.repeat(2_047)}1`, `${'x'.repeat(2_047)}2`]
    for (const [index, id] of ids.entries()) if (index % 2 === 0) await store.add(id)
    for (const [index, id] of ids.entries()) expectEqual(await store.has(id), index % 2 === 0)
  })

  test('a thousand IDs that are added at the same time are known', async () => {
    const store = await createStore()
    const ids = Array.from({ length: 1_000 }, (_, n) => `msg_${n}`)
    await Promise.all(ids.map((id) => store.add(id)))
    const known = await Promise.all(ids.map((id) => store.has(id)))
    expectEqual(known.filter(Boolean).length, 1_000)
  })
}

/** Registers one test more, for a store that depends on something that can fail. The store must be unreachable. */
export function unreachableStoreContract(
  test: RegisterTest,
  createStore: () => DeduplicationStore | Promise<DeduplicationStore>,
): void {
  test('a store that cannot be reached rejects, and does not say that an ID is unknown', async () => {
    const store = await createStore()
    for (const use of [() => store.has('msg_1'), () => store.add('msg_1')]) {
      const outcome = await use().then(
        () => 'resolved',
        () => 'rejected',
      )
      expectEqual(outcome, 'rejected')
    }
  })
}

function expectEqual(seen: unknown, expected: unknown): void {
  if (seen !== expected) throw new Error(`Expected ${String(expected)}, got ${String(seen)}`)
}
