import type { ServerResponse } from 'node:http'
import type { Delivery, DeliveryList, Device } from '@posrep/spec'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { aPosition, aReport } from '../../a-report.ts'
import { aServer, rival, roof1, roof2, type ServerUnderTest } from '../../a-server.ts'
import { aRelay, type Relay } from '../a-relay.ts'

const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check)

let server: ServerUnderTest
beforeAll(async () => {
  server = await aServer({ flags: { 'allow-private-relays': true } })
})
afterAll(() => server.stop())

/** A relay that consents, and answers reports as the test says. */
async function anActiveRelay(answer: () => number = () => 204, urn = roof1): Promise<Relay> {
  const relay = await aRelay(
    server.certificate,
    (_request, response: ServerResponse, body) => {
      const { validationCode } = JSON.parse(body)
      if (validationCode === undefined) response.statusCode = answer()
      response.end(validationCode)
    },
    { name: 'localhost' },
  )
  await set(relay, 1, urn)
  return relay
}

async function set(relay: Relay, state: 1 | 2 | 3, urn = roof1): Promise<Device> {
  const body = { url: relay.url.href, state }
  const response = await server.post(`/v1/devices/${urn}/relay`, await server.userToken(), body)
  expect(response.status).toBe(200)
  return (await response.json()) as Device
}

async function report(id: string, localId = 'roof1'): Promise<void> {
  const body = aReport({ positions: [aPosition({ id })] })
  expect((await server.post('/v1/position-reports', await server.deviceToken('fleet', localId), body)).status).toBe(202)
  await server.processed()
}

async function list(query = '', urn = roof1): Promise<DeliveryList> {
  const response = await server.get(`/v1/devices/${urn}/deliveries${query}`, await server.userToken())
  expect(response.status).toBe(200)
  return (await response.json()) as DeliveryList
}

async function get(id: string): Promise<{ status: number; delivery: Delivery }> {
  const response = await server.get(`/v1/devices/${roof1}/deliveries/${id}`, await server.userToken())
  return { status: response.status, delivery: (await response.json()) as Delivery }
}

async function resend(id: string): Promise<number> {
  return (await server.post(`/v1/devices/${roof1}/deliveries/${id}/resend`, await server.userToken())).status
}

/** The reports that the relay has received. */
const sentTo = (relay: Relay) =>
  relay.requests.flatMap(({ body }) => JSON.parse(body).positionReport?.positions[0].id ?? [])

describe('deliveries', () => {
  test('that were accepted are listed newest first, with status and timing', async () => {
    const relay = await anActiveRelay()
    await report('taken 1')
    await report('taken 2')
    await eventually(async () => expect((await list('?state=delivered')).data.length).toBeGreaterThanOrEqual(2))

    const { data, pending } = await list('?state=delivered&limit=2')
    expect(pending).toBe(0)
    expect(data[0]).toEqual({
      id: expect.stringMatching(/^dl_\d+$/),
      messageId: expect.stringMatching(/^urn:aa:device:[a-z-]+:roof1\/[\w-]{43}$/),
      state: 'delivered',
      owedSince: new Date(server.clock.now()).toISOString(),
      positions: 1,
      attemptCount: 1,
      attempts: [
        {
          startedAt: expect.any(String),
          durationMilliseconds: expect.any(Number),
          url: relay.url.href,
          status: 204,
          outcome: 'accepted',
          reason: null,
        },
      ],
      nextAttemptAt: null,
      reason: null,
    })
    const message = (await get(data[0]?.id ?? '')).delivery.message
    expect(message).toBe(relay.requests.at(-1)?.body)
    await set(relay, 2)
  })

  test('that are pending show their attempts and the time of the next one', async () => {
    const relay = await anActiveRelay(() => 503)
    await report('waiting 1')
    await report('waiting 2')
    await eventually(async () => expect((await list('?state=pending')).data[0]?.attemptCount).toBeGreaterThanOrEqual(1))

    const { data, pending } = await list('?state=pending')
    expect(pending).toBe(2)
    expect(data.map(({ state, reason }) => [state, reason])).toEqual([
      ['pending', 'The relay answered 503'],
      ['pending', null],
    ])
    expect(Date.parse(data[0]?.nextAttemptAt ?? '')).toBeGreaterThan(Date.parse(data[0]?.attempts[0]?.startedAt ?? ''))
    expect((await list(`?state=pending&after=${data[0]?.id}`)).data.map(({ id }) => id)).toEqual([data[1]?.id])
    expect((await get(data[1]?.id ?? '')).delivery.message).toContain('waiting 2')
    expect(await resend(data[1]?.id ?? '')).toBe(409)

    await anActiveRelay()
    await eventually(async () => expect((await list('?state=pending')).pending).toBe(0))
    expect(sentTo(relay).every((id) => id === 'waiting 1')).toBe(true)
  })

  test('that were refused are buried with the reason, and are sent again by a resend', async () => {
    let status = 422
    const relay = await anActiveRelay(() => status)
    await report('refused')
    await eventually(async () => expect((await list('?state=buried')).data[0]?.attemptCount).toBe(1))
    const [refused] = (await list('?state=buried')).data
    expect(refused).toMatchObject({ state: 'buried', reason: 'The relay answered 422' })
    expect(refused?.attempts[0]).toMatchObject({ status: 422, outcome: 'refused' })

    status = 200
    await report('newer')
    expect(await resend(refused?.id ?? '')).toBe(202)
    await eventually(() => expect(sentTo(relay)).toEqual(['refused', 'newer', 'refused']))
    const ids = relay.requests.slice(1).map(({ headers }) => headers['webhook-id'])
    expect(ids[2]).toBe(ids[0])
    expect(await resend(refused?.id ?? '')).toBe(404)
    expect((await list('?state=buried')).buried).toBe(0)
    await set(relay, 2)
  })

  test('that were accepted are resent with the same id', async () => {
    const relay = await anActiveRelay()
    await report('again')
    await eventually(() => expect(sentTo(relay)).toEqual(['again']))
    await eventually(async () =>
      expect((await get((await list('?state=delivered')).data[0]?.id ?? '')).delivery.message).toContain('again'),
    )
    const [taken] = (await list('?state=delivered')).data
    expect(await resend(taken?.id ?? '')).toBe(202)
    await eventually(() => expect(sentTo(relay)).toEqual(['again', 'again']))
    expect(relay.requests[2]?.headers['webhook-id']).toBe(relay.requests[1]?.headers['webhook-id'])
    await set(relay, 2)
  })

  test.each(['dl_999999', 'dl_', 'nothing', 'dl_1e3', '%00'])('with the unknown id "%s" are 404', async (id) => {
    expect((await get(id)).status).toBe(404)
    expect(await resend(id)).toBe(404)
  })

  test('of another account are 404', async () => {
    const token = await server.userToken(rival)
    for (const path of ['deliveries', 'deliveries/dl_1']) {
      expect((await server.get(`/v1/devices/${roof1}/${path}`, token)).status).toBe(404)
    }
    for (const path of ['deliveries/dl_1/resend', 'relay/test-message', 'revoke-tokens']) {
      expect((await server.post(`/v1/devices/${roof1}/${path}`, token)).status).toBe(404)
    }
  })
})

describe('a test message', () => {
  async function sendTest(urn = roof1) {
    const response = await server.post(`/v1/devices/${urn}/relay/test-message`, await server.userToken())
    return { status: response.status, body: (await response.json()) as Delivery & { code: string } }
  }

  test('is sent to the relay at once, and the answer contains the status of the relay', async () => {
    const relay = await anActiveRelay(() => 202)
    const { status, body } = await sendTest()
    expect([status, body.state, body.attempts[0]?.status]).toEqual([200, 'delivered', 202])
    expect(relay.requests.at(-1)?.body).toBe(body.message)
    expect(JSON.parse(body.message ?? '')).toMatchObject({
      name: 'position_report',
      positionReport: { sensor: { id: 'roof1' }, positions: [{ additionalInfo: { test: true } }] },
    })
    await eventually(async () => expect((await get(body.id)).status).toBe(200))
    expect(await resend(body.id)).toBe(409)
    await set(relay, 2)
  })

  test('that the relay refuses is answered with 200 and not sent again', async () => {
    const relay = await anActiveRelay(() => 500)
    const { status, body } = await sendTest()
    expect([status, body.state, body.reason]).toEqual([200, 'buried', 'The relay answered 500'])
    expect((await list()).pending).toBe(0)
    expect(relay.requests).toHaveLength(2)
    await set(relay, 2)
  })

  test('is 409 when the device has no Active relay', async () => {
    await set(await anActiveRelay(), 2)
    expect(await sendTest()).toMatchObject({ status: 409, body: { code: 'relay_not_active' } })
    expect(await sendTest(roof2)).toMatchObject({ status: 409, body: { code: 'relay_not_active' } })
  })
})

test('after an update of the address is answered, nothing is sent to the old one, not even messages in flight', async () => {
  const arrived = Promise.withResolvers<void>()
  const cutOff = Promise.withResolvers<void>()
  const old = await aRelay(
    server.certificate,
    (request, response, body) => {
      const { validationCode } = JSON.parse(body)
      if (validationCode !== undefined) return response.end(validationCode)
      request.socket.on('close', () => cutOff.resolve())
      arrived.resolve()
    },
    { name: 'localhost' },
  )
  await set(old, 1)
  await report('in flight')
  await arrived.promise
  const relay = await anActiveRelay()
  await cutOff.promise
  await eventually(() => expect(sentTo(relay)).toEqual(['in flight']))

  expect(old.requests).toHaveLength(2)
  await set(relay, 2)
})
