/** Simulations: relays that take 9 s to answer, of one or more accounts, beside the relay of another account. */
import { expect, test } from 'vitest'
import { aCourier } from '../a-courier.ts'

type Courier = Awaited<ReturnType<typeof aCourier>>

const slowMs = 9_000
const secondMs = 1_000

/** Devices of one account whose relays answer after 9 s. Each has messages for the whole simulation. */
async function addSlowDevices(courier: Courier, accountId: string, count: number, urlOf: (n: number) => string) {
  for (let n = 0; n < count; n++) {
    const url = urlOf(n)
    const urn = await courier.addDevice(`slow${n}`, accountId)
    await courier.setRelay(urn, 'Active', url)
    courier.answering(() => courier.clock.sleep(slowMs).then(() => 200), url)
    await courier.enqueue(urn, ...Array.from({ length: 8 }, (_, message) => `${message}`))
  }
}

/**
 * One report of the victim's device every second for a minute. Returns the longest time from the report to its
 * delivery.
 */
async function longestLagMs(courier: Courier, urn: string, url: string): Promise<number> {
  await courier.setRelay(urn, 'Active', url)
  // No time has passed since the courier was started.
  for (let n = 0; n < 60; n++) {
    await courier.enqueue(urn, `${n}`)
    await courier.clock.advance(secondMs)
  }
  const sent = courier.sent.filter((one) => one.url === url)
  expect(sent.map(({ report }) => report)).toEqual(Array.from({ length: 60 }, (_, n) => `${n}`))
  return Math.max(...sent.map(({ report, atMs }) => atMs - Number(report) * secondMs))
}

const victimUrl = 'https://shared.example/victim'

test('700 devices on 700 hosts that answer after 9 s do not delay another account', async () => {
  const courier = await aCourier()
  await addSlowDevices(courier, 'hostile', 700, (n) => `https://slow${n}.example/`)
  expect(await longestLagMs(courier, courier.roof1, victimUrl)).toBe(0)
})

test("40 devices on the victim's own host that answer after 9 s do not delay it", async () => {
  const courier = await aCourier()
  await addSlowDevices(courier, 'hostile', 40, (n) => `https://shared.example/slow${n}`)
  expect(await longestLagMs(courier, courier.roof1, victimUrl)).toBe(0)
})

test('12 accounts with 100 such devices each, on their own hosts and on the host of the victim, delay it less than 2 s', async () => {
  const courier = await aCourier()
  for (let n = 0; n < 12; n++) {
    await addSlowDevices(courier, `hostile${n}`, 100, (device) =>
      device % 2 === 0 ? `https://slow${n}-${device}.example/` : `https://shared.example/slow${n}-${device}`,
    )
  }
  expect(await longestLagMs(courier, courier.roof1, victimUrl)).toBeLessThan(2 * secondMs)
})

test('a slow host of an account does not delay its other hosts', async () => {
  const courier = await aCourier()
  await addSlowDevices(courier, 'acme', 300, (n) => `https://slow.example/${n}`)
  expect(await longestLagMs(courier, courier.roof1, victimUrl)).toBe(0)
})

test('an account whose relays answer again after 9 s has all its messages delivered', async () => {
  const courier = await aCourier()
  await addSlowDevices(courier, 'hostile', 300, (n) => `https://slow${n}.example/`)
  await courier.clock.advance(180 * secondMs)
  expect(courier.sent).toHaveLength(300 * 8)
  expect((await courier.deliveryLog.depth()).waiting).toBe(0)
})
