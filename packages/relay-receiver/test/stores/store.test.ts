/** Stores of message IDs: their contract, and what the receiver does when one fails or hangs. */
import { expect, test, vi } from 'vitest'
import { type DeduplicationStore, memoryStore } from '../../src/index.ts'
import { deduplicationStoreContract } from '../../src/stores/contract.ts'
import { aReceiver, aRequest, fakeClock } from '../builders.ts'

deduplicationStoreContract(
  (name, run) => test(`memory: ${name}`, run),
  () => memoryStore(),
)

test('memory: beyond its capacity the oldest ID is forgotten', async () => {
  const store = memoryStore({ capacity: 2 })
  for (const id of ['a', 'b', 'b', 'c']) await store.add(id)

  expect(await Promise.all(['a', 'b', 'c'].map((id) => store.has(id)))).toEqual([false, true, true])
  expect(() => memoryStore({ capacity: 0 })).toThrow('"capacity" must be a whole number of at least 1, got 0')
})

test('an ID is added only after onReport succeeded', async () => {
  const steps: string[] = []
  const store = aStore({ add: async (id) => void steps.push(`add ${id}`) })
  const onReport = vi.fn(async () => void steps.push('onReport')).mockRejectedValueOnce(new Error('disk full'))
  const receive = aReceiver({ store, onReport, onError: () => {} })

  expect((await receive(aRequest())).status).toBe(503)
  expect(steps).toEqual([])
  expect((await receive(aRequest())).status).toBe(204)
  expect(steps).toEqual(['onReport', 'add msg_1'])
})

test('while the store fails, messages are answered with 503, onReport is not called, and onError gets the cause', async () => {
  const cause = new Error('Redis is down')
  const onReport = vi.fn()
  const onError = vi.fn()
  const receive = aReceiver({ store: aStore({ has: () => Promise.reject(cause) }), onReport, onError })

  const response = await receive(aRequest())

  expect(response.status).toBe(503)
  expect(await response.json()).toMatchObject({ code: 'store_unavailable' })
  expect(onReport).not.toHaveBeenCalled()
  expect(onError.mock.lastCall?.[0].cause).toBe(cause)
})

test('when the ID cannot be stored after onReport, the answer is 503, and onReport gets the message again', async () => {
  const onReport = vi.fn()
  const add = vi.fn<DeduplicationStore['add']>().mockRejectedValueOnce(new Error('Redis is down')).mockResolvedValue()
  const receive = aReceiver({ store: aStore({ add }), onReport, onError: () => {} })

  expect((await receive(aRequest())).status).toBe(503)
  expect((await receive(aRequest())).status).toBe(204)
  expect(onReport).toHaveBeenCalledTimes(2)
})

test('a store that hangs is an outage after 3 s, and the next attempt asks it again', async () => {
  const clock = fakeClock()
  const has = vi
    .fn<DeduplicationStore['has']>()
    .mockReturnValueOnce(new Promise(() => {}))
    .mockResolvedValue(false)
  const receive = aReceiver({ store: aStore({ has }), onError: () => {}, clock })
  const first = receive(aRequest())
  await vi.waitFor(() => expect(has).toHaveBeenCalled())

  await clock.advance(3_000)

  expect((await first).status).toBe(503)
  expect((await receive(aRequest())).status).toBe(204)
})

function aStore(parts: Partial<DeduplicationStore>): DeduplicationStore {
  return { has: async () => false, add: async () => {}, ...parts }
}
