import { describe, expect, test } from 'vitest'
import { memoryStorage } from '../../../src/composition/storage/storage.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { createDroppedDeliveries, findDropped } from '../../../src/relays/deliveries/dropped-deliveries.ts'
import { roof1, roof2 } from '../../a-server.ts'
import { storages } from '../../identity/stores.ts'

const url = 'https://relay.example.net/'
const dayMs = 24 * 60 * 60_000

describe.each(storages)('dropped deliveries over $name', ({ open }) => {
  async function drops() {
    const clock = createManualClock()
    const { store } = await open({ clock })
    const counted: number[] = []
    const create = () =>
      createDroppedDeliveries({
        store,
        clock,
        findUrl: async (device) => (device === roof1 ? url : undefined),
        meter: { dropped: (_log, deliveries) => void counted.push(deliveries) },
        logger: { warn() {} },
      })
    return { ...create(), create, clock, counted, find: (device = roof1, at = url) => findDropped(store, device, at) }
  }

  test('are counted per device and address, with the times of the first and the last', async () => {
    const { record, create, stop, find, clock, counted } = await drops()
    const startedAtMs = clock.now()
    record(roof1, url, 2)
    record(roof2, url, 1)
    await stop()
    await clock.advance(5_000)
    const { record: recordLater, stop: stopLater } = create()
    recordLater(roof1, url, 40)
    await stopLater()

    expect(await find()).toEqual({ deliveries: 42, firstAtMs: startedAtMs, lastAtMs: startedAtMs + 5_000 })
    expect(await find(roof2)).toMatchObject({ deliveries: 1 })
    expect(await find(roof1, 'https://new.example.net/')).toBeUndefined()
    expect(counted).toEqual([2, 1, 40])
  })

  test('of which the caller does not know the address are counted for the relay that the device has now', async () => {
    const { record, stop, find, counted } = await drops()
    record(roof1, url, 1)
    record(roof1, undefined, 2)
    record(roof2, undefined, 4)
    await stop()

    expect([await find(), await find(roof2)]).toEqual([expect.objectContaining({ deliveries: 3 }), undefined])
    expect(counted).toEqual([1, 2, 4])
  })

  test('that several processes count at once are all counted', async () => {
    const { create, find } = await drops()
    const processes = Array.from({ length: 8 }, create)
    for (const { record } of processes) record(roof1, url, 3)
    await Promise.all(processes.map(({ stop }) => stop()))
    expect(await find()).toMatchObject({ deliveries: 24 })
  })

  test('are forgotten 30 days after the last one', async () => {
    const { record, stop, find, clock } = await drops()
    record(roof1, url, 1)
    await stop()
    await clock.advance(30 * dayMs - 1)
    expect(await find()).toBeDefined()
    await clock.advance(1)
    expect(await find()).toBeUndefined()
  })
})

test('a thousand drops within a second cause one write and one log line per device', async () => {
  const clock = createManualClock()
  const { store } = memoryStorage({ clock })
  let writes = 0
  const warned: unknown[] = []
  const { record } = createDroppedDeliveries({
    store: {
      ...store,
      replace: (...args) => {
        writes++
        return store.replace(...args)
      },
    },
    clock,
    findUrl: async () => url,
    meter: { dropped() {} },
    logger: { warn: (fields) => void warned.push(fields) },
  })
  for (let n = 0; n < 1_000; n++) record(roof1, url, 1)
  expect(writes).toBe(0)
  await clock.advance(1_000)
  expect(writes).toBe(1)
  expect(warned).toEqual([{ device: roof1, deliveries: 1_000 }])
})

test('drops are not stored while the store is unavailable, and later ones are', async () => {
  const clock = createManualClock()
  const { store } = memoryStorage({ clock })
  let isAway = true
  const warned: string[] = []
  const { record } = createDroppedDeliveries({
    store: { ...store, get: async (key) => (isAway ? Promise.reject(new Error('away')) : store.get(key)) },
    clock,
    findUrl: async () => url,
    meter: { dropped() {} },
    logger: { warn: (_fields, message) => void warned.push(message) },
  })
  record(roof1, url, 1)
  await clock.advance(1_000)
  isAway = false
  record(roof1, url, 2)
  await clock.advance(1_000)
  expect(warned).toContain('could not store how many deliveries were dropped')
  expect(await findDropped(store, roof1, url)).toMatchObject({ deliveries: 2 })
})
