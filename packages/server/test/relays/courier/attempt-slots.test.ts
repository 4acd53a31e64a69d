import { expect, test } from 'vitest'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { createAttemptSlots, maxSize } from '../../../src/relays/courier/attempt-slots.ts'
import { aCourier } from '../a-courier.ts'

interface Asking {
  account?: string
  host?: string
  isFailing?: boolean
  size?: number
}

/** The name of a device is its number, with its account before it unless that is `acme`. */
function someSlots() {
  const clock = createManualClock()
  const woken: string[] = []
  const slots = createAttemptSlots({ clock, random: () => 0.5, wake: (device) => void woken.push(device) })
  const nameOf = (device: number, account = 'acme') => (account === 'acme' ? `${device}` : `${account}${device}`)
  const acquire = (device: number, { account = 'acme', host = 'one.example', ...asking }: Asking = {}) =>
    slots.acquire({
      accountId: account,
      host,
      device: nameOf(device, account),
      isFailing: false,
      size: 0,
      ...asking,
    })
  return {
    ...slots,
    clock,
    woken,
    has: (device: number, asking?: Asking) => acquire(device, asking).kind === 'slot',
    /** The time that the device waits unless it is woken; `undefined` when it gets a slot. */
    cooldownMsOf(device: number, asking?: Asking) {
      const acquired = acquire(device, asking)
      return acquired.kind === 'full' ? acquired.retryAtMs - clock.now() : undefined
    },
    /** `count` devices, from number `first` on. Returns how many have a slot. */
    acquireAll(count: number, first = 0, asking?: Asking) {
      const all = Array.from({ length: count }, (_, n) => acquire(first + n, asking).kind)
      return all.filter((kind) => kind === 'slot').length
    },
    /** `count` devices of the account, each with a host of its own. Returns how many have a slot. */
    acquireOnHosts(count: number, account: string, asking?: Asking) {
      const all = Array.from(
        { length: count },
        (_, n) => acquire(n, { account, host: `${account}${n}`, ...asking }).kind,
      )
      return all.filter((kind) => kind === 'slot').length
    },
  }
}

test('an account that is alone gets 128 attempts at a time at one host, and 256 at all hosts', () => {
  expect(someSlots().acquireAll(300)).toBe(128)
  expect(someSlots().acquireOnHosts(300, 'acme')).toBe(256)
})

test('however many accounts take what they can get, the next one still finds slots, at a host that they share too', () => {
  const { acquireAll } = someSlots()
  const { acquireOnHosts } = someSlots()
  const apart = Array.from({ length: 30 }, (_, n) => acquireOnHosts(300, `account${n}-`))
  const together = Array.from({ length: 20 }, (_, n) => acquireAll(300, 0, { account: `account${n}-` }))

  expect(apart.slice(0, 8)).toEqual([256, 98, 48, 27, 18, 12, 8, 6])
  expect(apart.at(-1)).toBe(1)
  expect(together.slice(0, 4)).toEqual([128, 49, 24, 14])
  expect(together.at(-1)).toBe(1)
})

test('the hosts of an account share its slots in the same way: two slow hosts leave some for the others', () => {
  const { acquireAll } = someSlots()
  const taken = ['a', 'b', 'c', 'd', 'e'].map((host, n) => acquireAll(200, n * 200, { host }))

  expect(taken.every((slots) => slots > 0)).toBe(true)
  expect(taken.reduce((sum, slots) => sum + slots)).toBeLessThanOrEqual(256)
})

test('relays that fail take at most about half of the slots of their account', () => {
  const { acquireOnHosts, has } = someSlots()

  expect(acquireOnHosts(300, 'acme', { isFailing: true })).toBe(138)
  expect(Array.from({ length: 300 }, (_, n) => has(1_000 + n, { host: `healthy${n}` })).filter(Boolean)).toHaveLength(
    118,
  )
})

test('an account has at most half of the memory for messages in flight, and another finds some', () => {
  const { acquireOnHosts } = someSlots()
  const size = 1024 * 1024

  expect(acquireOnHosts(100, 'large', { size })).toBe(Math.ceil(maxSize / size / 2))
  expect(acquireOnHosts(1, 'other', { size })).toBe(1)
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

test('an account that has more than its share now gives a slot up after the attempt', () => {
  const { acquireOnHosts, has } = someSlots()
  acquireOnHosts(256, 'first')
  expect(has(0, { account: 'first', host: 'first0' })).toBe(true)
  acquireOnHosts(256, 'second')

  expect(has(0, { account: 'first', host: 'first0' })).toBe(false)
  expect(has(0, { account: 'second', host: 'second0' })).toBe(true)
})

test('an account with 16 attempts at a host that have waited for a second gets no more there, and others do', async () => {
  const { acquireAll, clock, has } = someSlots()
  acquireAll(16)
  expect(has(100)).toBe(true)

  await clock.advance(1_000)
  expect(has(101)).toBe(false)
  expect(has(101, { host: 'two.example' })).toBe(true)
  expect(has(101, { account: 'victim' })).toBe(true)
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
  const { acquireAll, clock, has } = someSlots()
  acquireAll(16)
  await clock.advance(500)
  has(0)
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
  const { acquireAll, has, woken } = someSlots()
  acquireAll(129)

  expect(has(0, { host: 'two.example' })).toBe(true)
  expect(woken).toEqual(['128'])
  expect(has(128)).toBe(true)
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

test('a device that asks again, or whose relay moves, waits once', () => {
  const { acquireOnHosts, acquireAll, release, woken } = someSlots()
  acquireOnHosts(256, 'acme')
  acquireAll(1, 1_000, { host: 'x.example' })
  acquireAll(1, 1_000, { host: 'x.example' })
  acquireAll(1, 1_000, { host: 'y.example' })
  for (let n = 0; n < 3; n++) release(`${n}`)

  expect(woken).toEqual(['1000'])
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

test('a device with long messages waits longer before it asks again, because they are read each time', () => {
  const { acquireAll, cooldownMsOf } = someSlots()
  acquireAll(128)

  expect(cooldownMsOf(1_000)).toBe(2_000)
  expect(cooldownMsOf(1_001, { size: 256 * 1024 })).toBe(4_000)
  expect(cooldownMsOf(1_002, { size: 2 * 1024 * 1024 })).toBe(8_000)
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
