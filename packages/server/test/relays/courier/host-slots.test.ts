import { expect, test } from 'vitest'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { createHostSlots } from '../../../src/relays/courier/host-slots.ts'
import { aCourier } from '../a-courier.ts'

const one = 'one.example'

/** The name of a device is its number. */
function someSlots() {
  const clock = createManualClock()
  const woken: string[] = []
  const slots = createHostSlots({ clock, random: () => 0.5, wake: (device) => void woken.push(device) })
  const acquire = (device: number, host = one) => slots.acquire({ accountId: 'acme', host, device: `${device}` })
  return {
    ...slots,
    clock,
    woken,
    acquire,
    has: (device: number, host = one) => acquire(device, host).kind === 'slot',
    /** The time that the device waits unless it is woken; `undefined` when it gets a slot. */
    cooldownMsOf(device: number) {
      const acquired = acquire(device)
      return acquired.kind === 'full' ? acquired.retryAtMs - clock.now() : undefined
    },
    /** `count` devices, from number `first` on. */
    acquireAll(count: number, first = 0) {
      return Array.from({ length: count }, (_, n) => acquire(first + n).kind).filter((kind) => kind === 'slot').length
    },
  }
}

test('a host that answers takes 128 attempts at a time, and another host has its own', () => {
  const { acquireAll, has } = someSlots()

  expect(acquireAll(130)).toBe(128)
  expect(has(200, 'two.example')).toBe(true)
})

test('a device keeps its slot from one attempt to the next until it releases it', () => {
  const { acquireAll, pause, release, has } = someSlots()
  acquireAll(128)
  pause('5')

  expect(has(200)).toBe(false)
  expect(has(5)).toBe(true)
  release('5')
  expect(has(200)).toBe(true)
})

test('a host with 16 attempts that have waited for a second gets no more, and another host does', async () => {
  const { acquireAll, clock, has } = someSlots()
  acquireAll(16)
  expect(has(100)).toBe(true)

  await clock.advance(1_000)
  expect(has(101)).toBe(false)
  expect(has(101, 'two.example')).toBe(true)
})

test('a host gets more attempts as soon as fewer than 16 wait', async () => {
  const { acquireAll, clock, pause, has } = someSlots()
  acquireAll(16)
  await clock.advance(1_000)
  expect(has(100)).toBe(false)

  pause('0')
  expect(has(100)).toBe(true)
})

test('each attempt of a device waits from its own start', async () => {
  const { acquireAll, acquire, clock, has } = someSlots()
  acquireAll(16)
  await clock.advance(500)
  acquire(0)
  await clock.advance(500)
  expect(has(100)).toBe(true)

  await clock.advance(500)
  expect(has(101)).toBe(false)
})

test('a device loses its slot when the host hangs', async () => {
  const { acquireAll, clock, has } = someSlots()
  acquireAll(17)
  await clock.advance(1_000)

  expect(has(0)).toBe(false)
})

test('a device whose relay moves to another host releases its slot', () => {
  const { acquireAll, has } = someSlots()
  acquireAll(128)

  expect(has(0, 'two.example')).toBe(true)
  expect(has(200)).toBe(true)
})

test('devices that wait are woken in the order in which they asked, and a slot is kept for each', () => {
  const { acquireAll, release, woken, has } = someSlots()
  acquireAll(128)
  acquireAll(3, 200)
  acquireAll(1, 200)
  release('0')

  expect(woken).toEqual(['200'])
  expect(has(300)).toBe(false)
  expect(has(200)).toBe(true)
  release('1')
  release('2')
  release('3')
  expect(woken).toEqual(['200', '201', '202', '300'])
})

test('a slot that is reserved for a device which does not come is free again within half a second', async () => {
  const { acquireAll, release, woken, clock, has } = someSlots()
  acquireAll(128)
  acquireAll(1, 200)
  release('0')
  expect([woken, has(300)]).toEqual([['200'], false])

  await clock.advance(500)
  expect(has(301)).toBe(true)
})

test('each attempt that ends wakes two devices once the host does not hang any more', async () => {
  const { acquireAll, pause, woken, clock } = someSlots()
  acquireAll(20)
  await clock.advance(1_000)
  acquireAll(10, 200)
  for (let n = 0; n < 4; n++) pause(`${n}`)
  expect(woken).toEqual([])

  pause('4')
  expect(woken).toEqual(['200', '201'])
  pause('5')
  expect(woken).toEqual(['200', '201', '202', '203'])
})

test('the more devices wait for a host, the longer each waits before it asks again, half a minute at most', () => {
  const { acquireAll, cooldownMsOf } = someSlots()
  acquireAll(128)
  const cooldowns = Array.from({ length: 2_000 }, (_, n) => cooldownMsOf(1_000 + n) ?? 0)

  expect(cooldowns).toEqual(cooldowns.toSorted((a, b) => a - b))
  expect(cooldowns[1_000]).toBeGreaterThan(cooldowns[100] ?? 0)
  expect(cooldowns.at(-1)).toBeLessThanOrEqual(30_000)
})

test('hundreds of devices that share a host which answers are all served without a cooldown', async () => {
  const { enqueue, addDevice, setRelay, clock, answering, sent } = await aCourier()
  const urns = await Promise.all(Array.from({ length: 400 }, (_, n) => addDevice(`sharing${n}`)))
  for (const urn of urns) await setRelay(urn, 'Active', 'https://sharing.example/')
  answering(() => 200, 'https://sharing.example/')
  await Promise.all(urns.map((urn) => enqueue(urn, '1', '2', '3')))
  await clock.advance(0)

  expect(sent).toHaveLength(1_200)
})

test('once a host that hung answers again, the devices that waited for it are served without a cooldown', async () => {
  const { enqueue, addDevice, setRelay, clock, answering, sent } = await aCourier()
  const hanging = Promise.withResolvers<number>()
  answering(() => hanging.promise, 'https://hung.example/')
  const urns = await Promise.all(Array.from({ length: 400 }, (_, n) => addDevice(`waiting${n}`)))
  for (const urn of urns) await setRelay(urn, 'Active', 'https://hung.example/')
  await Promise.all(urns.map((urn) => enqueue(urn, '1', '2')))
  await clock.advance(5_000)
  expect(sent.length).toBeLessThanOrEqual(128)

  answering(() => 200, 'https://hung.example/')
  hanging.resolve(200)
  await clock.advance(0)

  expect(sent).toHaveLength(800)
})
