import { expect, test } from 'vitest'
import { RelayFailure } from '../../../src/relays/sender/relay-failure.ts'
import { aCourier, minuteMs } from '../a-courier.ts'

test('the messages of a device are delivered in order, once', async () => {
  const { enqueue, roof1, clock, reports, deliveryLog, counts } = await aCourier()
  await enqueue(roof1, '1', '2', '3')
  await enqueue(roof1, '4')
  await clock.advance(0)

  expect(reports()).toEqual(['1', '2', '3', '4'])
  expect([(await deliveryLog.depth()).waiting, counts]).toEqual([0, { accepted: 4 }])
})

test('a message that fails is sent again before the next messages', async () => {
  const { enqueue, roof1, clock, answering, reports, counts, queueFailures, deliveryLog } = await aCourier()
  let failures = 1
  answering(({ report }) => (report === '3' && failures-- > 0 ? 503 : 200))
  await enqueue(roof1, '1', '2', '3', '4')
  await clock.advance(0)
  expect(reports()).toEqual(['1', '2', '3'])
  expect((await deliveryLog.depth()).waiting).toBe(2)
  expect((await queueFailures().read(roof1))?.head.attemptCount).toBe(1)

  await clock.advance(1_000)
  expect([reports(), counts]).toEqual([['1', '2', '3', '3', '4'], { accepted: 4, retry: 1 }])
})

test('each message has its own timestamps', async () => {
  const { enqueue, roof1, clock, answering, recentDeliveries, recorder } = await aCourier()
  answering(() => clock.sleep(20).then(() => 200 as never))
  await enqueue(roof1, '1', '2')
  const startedAtMs = clock.now()
  await clock.advance(50)
  await recorder.idle()

  const attempts = (await recentDeliveries.list(roof1)).flatMap(({ attempts }) => attempts)
  expect(attempts.map((attempt) => [attempt.startedAtMs - startedAtMs, attempt.durationMs])).toEqual([
    [20, 20],
    [0, 20],
  ])
})

test('more deliveries than one lease has are sent in order', async () => {
  const { enqueue, roof1, clock, reports } = await aCourier()
  const ids = Array.from({ length: 250 }, (_, n) => String(n))
  await enqueue(roof1, ...ids)
  await clock.advance(1_000)
  expect(reports()).toEqual(ids)
})

test.each([200, 201, 202, 204, 299])(
  'a message that is answered with %i is delivered, and not sent again',
  async (status) => {
    const { enqueue, roof1, clock, answering, reports, deliveryLog } = await aCourier()
    answering(() => status)
    await enqueue(roof1, '1')
    await clock.advance(10 * minuteMs)
    expect([reports(), (await deliveryLog.depth()).waiting]).toEqual([['1'], 0])
  },
)

test.each([408, 429, 500, 502, 503, 504, 401, 403, 404, 301, 302, 307])(
  'a message answered with %i is sent again before the next one, with the same id',
  async (status) => {
    const { enqueue, roof1, clock, answering, sent } = await aCourier()
    let failures = 2
    answering(() => (failures-- > 0 ? status : 200))
    await enqueue(roof1, '1', '2')
    await clock.advance(10_000)

    expect(sent.map(({ report }) => report)).toEqual(['1', '1', '1', '2'])
    expect(new Set(sent.slice(0, 3).map(({ id }) => id)).size).toBe(1)
  },
)

test.each(['unresolved', 'address_refused', 'certificate_refused', 'tls_failed', 'timeout', 'unreachable'] as const)(
  'a message that could not be sent (%s) is sent again',
  async (code) => {
    const { enqueue, roof1, clock, answering, reports, counts } = await aCourier()
    let failures = 1
    answering(() => (failures-- > 0 ? new RelayFailure(code) : 200))
    await enqueue(roof1, '1')
    await clock.advance(2_000)
    expect([reports(), counts]).toEqual([['1', '1'], { retry: 1, accepted: 1 }])
  },
)

test('the waits double up to 5 minutes, and start at 1 s again after a success', async () => {
  const { enqueue, roof1, clock, answering, sent } = await aCourier()
  answering(({ atMs }) => (atMs < 20 * minuteMs ? 503 : 200))
  await enqueue(roof1, '1')
  await clock.advance(25 * minuteMs)
  const waits = sent.slice(1).map(({ atMs }, n) => Math.round((atMs - (sent[n]?.atMs ?? 0)) / 1_000))
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])

  answering(() => 503)
  await enqueue(roof1, '2')
  await clock.advance(1_500)
  expect(sent.slice(-2).map(({ report }) => report)).toEqual(['2', '2'])
})

test.each([
  ['in seconds', 30, () => '30'],
  ['as a date', 45, (atMs: number) => new Date(atMs + 45_000).toUTCString()],
  ['of more than 5 minutes', 300, () => '99999999'],
  ['that is invalid', 1, () => 'soon'],
] as const)('after an answer with Retry-After %s the message is sent again in %i s', async (_kind, seconds, header) => {
  const { enqueue, roof1, clock, answering, sent } = await aCourier()
  const retryAfter = header(clock.now())
  answering(() => (sent.length === 1 ? { status: 503, retryAfter } : 200))
  await enqueue(roof1, '1')
  await clock.advance(6 * minuteMs)
  expect(sent.map(({ atMs }) => Math.floor(atMs / 1_000))).toEqual([0, seconds])
})

test('410 makes the relay Failed at once, and nothing more is sent', async () => {
  const { enqueue, roof1, clock, answering, reports, relayOf, deliveryLog } = await aCourier()
  answering(() => 410)
  await enqueue(roof1, '1', '2')
  await clock.advance(5 * minuteMs)

  expect(reports()).toEqual(['1'])
  expect(await relayOf(roof1)).toMatchObject({ state: 'Failed', failureDescription: 'The relay answered 410' })
  expect((await deliveryLog.depth()).waiting).toBe(2)
})

test.each([400, 413, 415, 422])('a message refused with %i is buried and the next one is sent', async (status) => {
  const { enqueue, roof1, clock, answering, reports, counts, deliveryLog, relayOf } = await aCourier()
  answering(({ report }) => (report === '2' ? status : 200))
  await enqueue(roof1, '1', '2', '3')
  await clock.advance(0)

  expect(reports()).toEqual(['1', '2', '3'])
  expect([(await deliveryLog.depth()).buried, counts['buried delivery']]).toEqual([1, 1])
  expect((await relayOf(roof1))?.state).toBe('Active')
})

test('while the relay is Inactive its deliveries wait, and they are sent when it is Active', async () => {
  const { enqueue, roof1, clock, setRelay, reports } = await aCourier()
  await setRelay(roof1, 'Inactive')
  await enqueue(roof1, '1', '2')
  await clock.advance(10 * minuteMs)
  expect(reports()).toEqual([])

  await setRelay(roof1, 'Active')
  await clock.advance(0)
  expect(reports()).toEqual(['1', '2'])
})

test('the remaining messages go to a new address at once, and none to the old one', async () => {
  const { enqueue, roof1, clock, setRelay, answering, sent } = await aCourier()
  answering(({ report }) => (report === '1' ? 200 : 503))
  await enqueue(roof1, '1', '2', '3')
  await clock.advance(20 * minuteMs)
  const before = sent.length
  await setRelay(roof1, 'Active', 'https://two.example/')
  await clock.advance(10 * minuteMs)

  expect(sent.slice(before).map(({ url, report }) => [url, report])).toEqual([
    ['https://two.example/', '2'],
    ['https://two.example/', '3'],
  ])
})

test('an address that changes during an attempt is used at once', async () => {
  const { enqueue, roof1, clock, setRelay, answering, sent } = await aCourier()
  const old = Promise.withResolvers<never>()
  answering(() => old.promise)
  await enqueue(roof1, '1')
  await clock.advance(0)
  await setRelay(roof1, 'Active', 'https://two.example/')
  old.reject(new RelayFailure('timeout'))
  await clock.advance(0)

  expect(sent.map(({ url }) => url)).toEqual(['https://one.example/', 'https://two.example/'])
})

test('an address changed by a command is used within 250 ms', async () => {
  const { enqueue, roof1, clock, setRelay, answering, sent } = await aCourier()
  const after100Ms = () => clock.sleep(100).then(() => 200 as never)
  answering(after100Ms)
  answering(after100Ms, 'https://two.example/')
  await enqueue(roof1, '1', '2', '3', '4', '5', '6')
  await clock.advance(50)
  await setRelay(roof1, 'Active', 'https://two.example/')
  await clock.advance(1_000)

  expect(sent.filter(({ atMs }) => atMs >= 250).map(({ url, report }) => [url, report])).toEqual([
    ['https://two.example/', '4'],
    ['https://two.example/', '5'],
    ['https://two.example/', '6'],
  ])
})

test('the next message follows an update by another process where devices are not cached', async () => {
  const { enqueue, roof1, clock, setRelay, answering, sent } = await aCourier({ deviceCacheMs: 0 })
  const old = Promise.withResolvers<never>()
  answering(({ report }) => (report === '2' ? old.promise : 200))
  await enqueue(roof1, '1', '2', '3')
  await clock.advance(0)
  await setRelay(roof1, 'Active', 'https://two.example/')
  old.resolve(200 as never)
  await clock.advance(0)

  expect(sent.map(({ url, report }) => [url, report])).toEqual([
    ['https://one.example/', '1'],
    ['https://one.example/', '2'],
    ['https://two.example/', '3'],
  ])
})

test('the next message follows an update by this process', async () => {
  const { enqueue, roof1, clock, setRelay, inFlight, answering, sent } = await aCourier()
  const old = Promise.withResolvers<never>()
  answering(({ report }) => (report === '2' ? old.promise : 200))
  await enqueue(roof1, '1', '2', '3')
  await clock.advance(0)
  await setRelay(roof1, 'Active', 'https://two.example/')
  await inFlight.abort(roof1)
  old.resolve(200 as never)
  await clock.advance(0)

  expect(sent.at(-1)).toMatchObject({ url: 'https://two.example/', report: '3' })
})

test('an accepted message is shown as delivered once it is settled', async () => {
  const { enqueue, roof1, clock, answering, recentDeliveries, recorder, deliveryLog } = await aCourier()
  const second = Promise.withResolvers<never>()
  answering(({ report }) => (report === '2' ? second.promise : 200))
  await enqueue(roof1, '1', '2')
  await clock.advance(0)
  expect([await recentDeliveries.list(roof1), (await deliveryLog.depth()).waiting]).toEqual([[], 2])

  second.resolve(200 as never)
  await clock.advance(0)
  await recorder.idle()
  expect([(await recentDeliveries.list(roof1)).length, (await deliveryLog.depth()).waiting]).toEqual([2, 0])
})

test('a device that waits for a slot at its host gets the first free one', async () => {
  const { enqueue, addDevice, setRelay, clock, answering, sent } = await aCourier()
  const first = Promise.withResolvers<never>()
  answering(() =>
    sent.length === 1 ? first.promise : sent.length <= 128 ? Promise.withResolvers<never>().promise : 200,
  )
  for (let n = 0; n < 129; n++) {
    const urn = await addDevice(`device${n}`)
    await setRelay(urn, 'Active')
    await enqueue(urn, '1')
  }
  await clock.advance(0)
  expect(sent).toHaveLength(128)

  first.resolve(200 as never)
  await clock.advance(0)
  expect(sent).toHaveLength(129)
})

test('a relay that hangs does not delay another device', async () => {
  const { enqueue, roof1, roof2, clock, setRelay, answering, reports } = await aCourier()
  await setRelay(roof2, 'Active', 'https://two.example/')
  answering(() => Promise.withResolvers<never>().promise)
  await enqueue(roof1, 'stuck')
  await enqueue(roof2, '1', '2')
  await clock.advance(0)
  expect(reports()).toEqual(['stuck', '1', '2'])
})

test('a relay that fails for the retention time becomes Failed with the reason', async () => {
  const { enqueue, roof1, clock, answering, relayOf, deliveryLog, counts } = await aCourier({
    retentionMs: 10 * minuteMs,
  })
  answering(() => 500)
  await enqueue(roof1, '1')
  await clock.advance(9 * minuteMs)
  expect((await relayOf(roof1))?.state).toBe('Active')

  await clock.advance(6 * minuteMs)
  expect(await relayOf(roof1)).toMatchObject({ state: 'Failed', failureDescription: 'The relay answered 500' })
  await clock.advance(5 * minuteMs)
  expect([(await deliveryLog.depth()).waiting, counts['buried delivery']]).toEqual([0, 1])
})

test('a relay that was Inactive does not become Failed because of deliveries that are older than the retention time', async () => {
  const { enqueue, roof1, clock, setRelay, answering, relayOf } = await aCourier({ retentionMs: 10 * minuteMs })
  await setRelay(roof1, 'Inactive')
  await enqueue(roof1, '1')
  await clock.advance(9.9 * minuteMs)
  answering(() => 503)
  await setRelay(roof1, 'Active')
  await clock.advance(5 * minuteMs)
  expect((await relayOf(roof1))?.state).toBe('Active')
})

test('deliveries of an Inactive relay are buried after the retention time', async () => {
  const { enqueue, roof1, clock, setRelay, deliveryLog, reports } = await aCourier({ retentionMs: 10 * minuteMs })
  await setRelay(roof1, 'Inactive')
  await enqueue(roof1, 'old')
  await clock.advance(8 * minuteMs)
  await enqueue(roof1, 'new')
  await clock.advance(4 * minuteMs)
  expect(await deliveryLog.depth()).toMatchObject({ waiting: 1, buried: 1 })

  await setRelay(roof1, 'Active')
  await clock.advance(0)
  expect(reports()).toEqual(['new'])
})

test('deliveries of a deleted device are buried', async () => {
  const { clock, deliveryLog, counts, enqueue } = await aCourier()
  await enqueue('urn:aa:device:fleet:gone', '1', '2')
  await clock.advance(0)
  expect([await deliveryLog.depth(), counts]).toMatchObject([{ waiting: 0, buried: 2 }, { 'buried delivery': 2 }])
})

test('the courier stops between two messages', async () => {
  const { enqueue, roof1, clock, answering, startStopping, reports, deliveryLog } = await aCourier()
  const first = Promise.withResolvers<never>()
  answering(() => first.promise)
  await enqueue(roof1, '1', '2')
  await clock.advance(0)
  const stopped = startStopping()
  first.resolve(200 as never)
  await stopped
  expect([reports(), (await deliveryLog.depth()).waiting]).toEqual([['1'], 1])
})

test('an attempt that hangs when the courier stops is aborted after a second, and its message stays pending', async () => {
  const { enqueue, roof1, clock, answering, stop, deliveryLog, counts } = await aCourier()
  answering(() => Promise.withResolvers<never>().promise)
  await enqueue(roof1, '1', '2')
  await clock.advance(0)
  await stop()
  expect([(await deliveryLog.depth()).waiting, counts]).toEqual([2, {}])
})

test('no attempt starts when its lease may end before it does: the attempts so far are settled within the lease', async () => {
  const { enqueue, roof1, clock, answering, deliveryLog, sent } = await aCourier()
  answering(() => clock.sleep(9_000).then(() => 200 as never))
  await enqueue(roof1, ...Array.from({ length: 20 }, (_, n) => String(n)))
  await clock.advance(0)
  const leasedAtMs = sent[0]?.atMs ?? 0

  for (let seconds = 0; seconds < 50; seconds++) await clock.advance(1_000)

  const startedInLease = sent.filter(({ atMs }) => atMs - leasedAtMs <= 40_000)
  expect((await deliveryLog.depth()).waiting).toBe(20 - startedInLease.length)
})
