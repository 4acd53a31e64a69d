import { expect, onTestFinished, test } from 'vitest'
import { createReadingBudget } from '../../../src/concurrency/reading-budget.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { toOperationRequest } from '../../../src/http/operation/operation-request.ts'
import { deliveryOperations } from '../../../src/relays/deliveries/delivery-operations.ts'
import type { DeliveryView } from '../../../src/relays/deliveries/delivery-view.ts'
import { createRelayLimits } from '../../../src/relays/update/relay-limits.ts'
import { aServer, rival, rivalRoof1, roof1, roof2 } from '../../a-server.ts'
import { aDevice } from '../../pipeline/a-pipeline-report.ts'

test('an account gets 429 after 60 relay updates and test messages in a minute, and other accounts do not', async () => {
  const server = await aServer()
  onTestFinished(() => server.stop())
  const tokens = { mine: await server.userToken(), theirs: await server.userToken(rival) }
  const update = async (urn: string, token = tokens.mine) => {
    const body = { url: 'https://relay.example.net/', state: 2 }
    return server.post(`/v1/devices/${urn}/relay`, token, body)
  }
  for (let n = 0; n < 59; n++) expect((await update(n % 2 ? roof1 : roof2)).status).toBe(200)
  const test = () => server.post(`/v1/devices/${roof1}/relay/test-message`, tokens.mine)
  expect((await test()).status).toBe(409)

  const refused = await update(roof1)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  expect((await test()).status).toBe(429)
  expect((await update(rivalRoof1, tokens.theirs)).status).toBe(200)
  await server.clock.advance(60_000)
  expect((await update(roof1)).status).toBe(200)
})

/** The operations on deliveries of a device whose relay is Active; `send` sends a test message. */
function someOperations(send: () => Promise<DeliveryView> = async () => expect.unreachable()) {
  const clock = createManualClock()
  const relay = { url: 'https://one.example/', state: 'Active' as const, failureDescription: null, sinceMs: 0 }
  const operations = deliveryOperations({
    devices: { getOwned: async () => ({ ...aDevice, relay }) } as never,
    deliveries: { resend: async () => {}, sendTest: send } as never,
    deliveryMetrics: { list: async () => [] },
    limits: createRelayLimits({ clock }),
    budget: createReadingBudget({ sleep: clock.sleep, sizeOf: () => 1 }),
    clock,
  })
  const path = { deviceId: roof1, deliveryId: 'dl_1' }
  const by = (accountId: string) => ({
    principal: { kind: 'user' as const, userId: 'u', accountId, clientId: 'app', scopes: [], tokenId: 't' },
  })
  return {
    clock,
    resend: (accountId = 'acme') =>
      operations.resendDelivery(toOperationRequest<'resendDelivery'>({ path }, by(accountId))),
    sendTest: () => operations.sendTestMessage(toOperationRequest<'sendTestMessage'>({ path }, by('acme'))),
  }
}

const tooMany = { code: 'too_many_requests' }

test('an account gets 429 after 10,000 resent messages in a minute, and other accounts do not', async () => {
  const { resend, clock } = someOperations()
  for (let n = 0; n < 10_000; n++) await resend()

  await expect(resend()).rejects.toMatchObject(tooMany)
  expect((await resend('other')).status).toBe(202)
  await clock.advance(60_000)
  expect((await resend()).status).toBe(202)
})

test('messages that are resent together are counted one by one, as many as the limit allows', async () => {
  const clock = createManualClock()
  const limits = createRelayLimits({ clock })
  expect([limits.countResends('acme', 9_000), limits.countResends('acme', 9_000)]).toEqual([9_000, 1_000])
  expect(() => limits.countResends('acme', 1)).toThrow('10000 messages of this account were resent in a minute')
  expect(limits.countResends('other', 5)).toBe(5)
})

test('at most 8 test messages of an account wait for an answer; another one gets 429', async () => {
  const hanging = Promise.withResolvers<DeliveryView>()
  const { sendTest } = someOperations(() => hanging.promise)
  const waiting = Promise.allSettled(Array.from({ length: 8 }, sendTest))

  await expect(sendTest()).rejects.toMatchObject(tooMany)

  hanging.reject(new Error('over'))
  await waiting
})

test('at most 8 messages of an account and 16 to a host wait for an answer; another one gets 429', async () => {
  const limits = createRelayLimits({ clock: createManualClock() })
  const hanging = Promise.withResolvers<void>()
  const send = (account: string, host: string) => limits.whileSending(account, host, () => hanging.promise)
  const ofOne = Array.from({ length: 8 }, (_, n) => send('acme', `${n}.example`))
  await expect(send('acme', 'more.example')).rejects.toMatchObject({ code: 'too_many_requests' })
  const toOne = Array.from({ length: 16 }, (_, n) => send(`account ${n}`, 'one.example'))
  await expect(send('another', 'one.example')).rejects.toMatchObject({ headers: { 'Retry-After': '5' } })

  hanging.resolve()
  await Promise.all([...ofOne, ...toOne])
  await send('acme', 'one.example')
})
