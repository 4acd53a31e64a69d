import { describe, expect, test } from 'vitest'
import { RelayFailure } from '../../../src/relays/sender/relay-failure.ts'
import { aCourier, minuteMs } from '../a-courier.ts'

const hourMs = 60 * minuteMs

describe('a message that the relay keeps answering without accepting it', () => {
  test('is buried after 15 answers over an hour once the relay accepts the next one, and the relay stays Active', async () => {
    const { enqueue, roof1, clock, answering, reports, relayOf, deliveryLog, counts } = await aCourier()
    answering(({ report }) => (report === 'poison' ? 500 : 200))
    await enqueue(roof1, 'before', 'poison', '2', '3')
    await clock.advance(59 * minuteMs)
    expect(reports()).not.toContain('2')

    await clock.advance(6 * minuteMs)
    expect(reports().filter((id) => id !== 'poison')).toEqual(['before', '2', '3'])
    expect(reports().filter((id) => id === 'poison').length).toBeGreaterThanOrEqual(15)
    const [buried] = await deliveryLog.listBuried({ queue: roof1, limit: 10 })
    expect(buried?.reason).toMatch(/^The relay answered 500, \d+ times, and it took the next message$/)
    expect([await deliveryLog.depth(), counts['buried delivery']]).toMatchObject([{ waiting: 0, buried: 1 }, 1])
    expect((await relayOf(roof1))?.state).toBe('Active')
  })

  test('is buried after 15 answers over an hour when it is the only one', async () => {
    const { enqueue, roof1, clock, answering, relayOf, deliveryLog } = await aCourier()
    answering(() => 500)
    await enqueue(roof1, 'poison')
    await clock.advance(66 * minuteMs)
    expect(await deliveryLog.depth()).toMatchObject({ waiting: 0, buried: 1 })
    expect((await relayOf(roof1))?.state).toBe('Active')
  })

  test('makes the relay Failed when the next one fails as well, and both stay pending, in order', async () => {
    const { enqueue, roof1, clock, pass, answering, relayOf, deliveryLog, setRelay, reports } = await aCourier()
    answering(() => 500)
    await enqueue(roof1, '1', '2', '3')
    await pass(90 * minuteMs)
    expect((await relayOf(roof1))?.state).toBe('Active')
    await pass(70 * minuteMs)
    expect(await relayOf(roof1)).toMatchObject({ state: 'Failed', failureDescription: 'The relay answered 500' })
    expect(await deliveryLog.depth()).toMatchObject({ waiting: 3, buried: 0 })

    const before = reports().length
    answering(() => 200)
    await setRelay(roof1, 'Active')
    await clock.advance(0)
    expect(reports().slice(before)).toEqual(['1', '2', '3'])
  })

  test('is not buried by a relay that does not answer', async () => {
    const { enqueue, roof1, pass, answering, deliveryLog, relayOf } = await aCourier()
    answering(() => new RelayFailure('timeout'))
    await enqueue(roof1, '1', '2')
    await pass(23 * hourMs)
    expect(await deliveryLog.depth()).toMatchObject({ waiting: 2, buried: 0 })
    expect((await relayOf(roof1))?.state).toBe('Active')
    await pass(2 * hourMs)
    expect(await relayOf(roof1)).toMatchObject({
      state: 'Failed',
      failureDescription: 'The relay did not answer in time',
    })
  })

  test('has its answers counted across restarts', async () => {
    const { enqueue, roof1, clock, answering, restart, deliveryLog, reports } = await aCourier()
    answering(({ report }) => (report === 'poison' ? 500 : 200))
    await enqueue(roof1, 'poison', '2')
    for (let n = 0; n < 6; n++) {
      await clock.advance(11 * minuteMs)
      await restart()
    }
    await clock.advance(6 * minuteMs)
    expect(await deliveryLog.depth()).toMatchObject({ waiting: 0, buried: 1 })
    expect(reports().at(-1)).toBe('2')
  })

  test('has its answers counted from 0 after an update of the relay', async () => {
    const { enqueue, roof1, pass, answering, setRelay, deliveryLog } = await aCourier()
    answering(() => 500)
    await enqueue(roof1, '1', '2')
    await pass(59 * minuteMs)
    await setRelay(roof1, 'Active')
    await pass(50 * minuteMs)
    expect(await deliveryLog.depth()).toMatchObject({ waiting: 2, buried: 0 })
  })
})

test('a relay that was down for most of the retention time does not become Failed because of old messages', async () => {
  const { enqueue, roof1, pass, answering, reports, relayOf } = await aCourier()
  answering(() => new RelayFailure('unreachable'))
  await enqueue(roof1, '1', '2')
  await pass(23 * hourMs)
  let failures = 1
  answering(({ report }) => (report === '2' && failures-- > 0 ? 503 : 200))
  await pass(2 * hourMs)
  expect(reports().slice(-3)).toEqual(['1', '2', '2'])
  expect((await relayOf(roof1))?.state).toBe('Active')
})

test('a delivery is listed with its attempts, also after a restart', async () => {
  const { enqueue, roof1, clock, answering, restart, recentDeliveries, recorder } = await aCourier()
  answering(() => new RelayFailure('timeout'))
  await enqueue(roof1, '1')
  await clock.advance(4_000)
  await restart()
  answering(() => 204)
  await clock.advance(10 * minuteMs)
  await recorder.idle()

  const [delivery] = await recentDeliveries.list(roof1)
  expect(delivery?.attemptCount).toBe(4)
  expect(delivery?.attempts.map(({ status, outcome }) => [status, outcome])).toEqual([
    [null, 'retry'],
    [null, 'retry'],
    [null, 'retry'],
    [204, 'accepted'],
  ])
})

test('an attempt that an update aborts does not count, and the message goes to the new address at once', async () => {
  const { enqueue, roof1, clock, answering, setRelay, inFlight, sent, queueFailures } = await aCourier()
  answering(() => Promise.withResolvers<never>().promise)
  await enqueue(roof1, '1')
  await clock.advance(0)
  await setRelay(roof1, 'Active', 'https://two.example/')
  await inFlight.abort(roof1)
  await clock.advance(0)

  expect(sent.map(({ url }) => url)).toEqual(['https://one.example/', 'https://two.example/'])
  expect(await queueFailures().read(roof1)).toBeUndefined()
})

describe('410 to an attempt during which the user updated the relay', () => {
  test.each([
    ['to another address', 'Active', 'https://two.example/'],
    ['to Inactive', 'Inactive', 'https://one.example/'],
  ] as const)('%s does not make it Failed', async (_update, state, url) => {
    const { enqueue, roof1, clock, answering, setRelay, relayOf } = await aCourier()
    const answer = Promise.withResolvers<never>()
    answering(() => answer.promise)
    answering(() => Promise.withResolvers<never>().promise, 'https://two.example/')
    await enqueue(roof1, '1')
    await clock.advance(0)

    await setRelay(roof1, state, url)
    answer.resolve(410 as never)
    await clock.advance(0)

    expect(await relayOf(roof1)).toMatchObject({ url, state, failureDescription: null })
  })
})
