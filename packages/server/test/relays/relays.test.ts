import { createPublicKey, verify } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Device } from '@posrep/spec'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { aPosition, aReport } from '../a-report.ts'
import { aServer, roof1, roof2, type ServerUnderTest } from '../a-server.ts'
import { aRelay, type Relay } from './a-relay.ts'

let server: ServerUnderTest
beforeAll(async () => {
  server = await aServer({ flags: { 'allow-private-relays': true } })
})
afterAll(() => server.stop())

async function update(body: object, urn = roof1, on = server): Promise<{ status: number; device: Device }> {
  const response = await on.post(`/v1/devices/${urn}/relay`, await on.userToken(), body)
  return { status: response.status, device: (await response.json()) as Device }
}

async function submit(report: object, more: Record<string, string>) {
  const headers = { authorization: `Bearer ${await server.deviceToken()}`, 'content-type': 'application/json', ...more }
  return server.fetch('/v1/position-reports', { method: 'POST', headers, body: JSON.stringify(report) })
}

/** A relay on this machine that consents and accepts every report. */
function aConsentingRelay(): Promise<Relay> {
  const consent = (_request: unknown, response: ServerResponse, body: string) =>
    response.end(JSON.parse(body).validationCode)
  return aRelay(server.certificate, consent, { name: 'localhost' })
}

describe('a relay update', () => {
  test('with state 1 validates the address, and the relay is Active', async () => {
    const relay = await aConsentingRelay()
    const { status, device } = await update({ url: relay.url.href, state: 1 })

    expect([status, device.relayDetails, device.positionReportMetrics]).toEqual([
      200,
      { url: relay.url.href, state: 'Active', failureDescription: null },
      null,
    ])
    expect(JSON.parse(relay.requests[0]?.body ?? '')).toMatchObject({ name: 'validate', version: '1.0' })
    expect(await update({ url: relay.url.href, state: 2 })).toMatchObject({
      device: { relayDetails: { state: 'Inactive' } },
    })
  })

  test('with state 1 to an address that does not consent makes it Failed, with 200', async () => {
    const relay = await aRelay(server.certificate, (_request, response) => response.end('no'), { name: 'localhost' })
    const { status, device } = await update({ url: relay.url.href, state: 1 })
    expect([status, device.relayDetails]).toEqual([
      200,
      {
        url: relay.url.href,
        state: 'Failed',
        failureDescription: 'The relay answered the validation without the validation code',
      },
    ])
  })

  test('with state 2 or 3 sends nothing', async () => {
    const relay = await aConsentingRelay()
    const inactive = await update({ url: relay.url.href, state: 2 })
    const failed = await update({ url: relay.url.href, state: 3 })

    expect(inactive.device.relayDetails).toEqual({ url: relay.url.href, state: 'Inactive', failureDescription: null })
    expect(failed.device.relayDetails).toEqual({
      url: relay.url.href,
      state: 'Failed',
      failureDescription: 'Set by request',
    })
    expect(relay.connections()).toBe(0)
  })

  test('is not overwritten by an earlier update whose validation takes longer', async () => {
    const arrived = Promise.withResolvers<void>()
    const answering = Promise.withResolvers<void>()
    const slow = await aRelay(
      server.certificate,
      async (_request, response) => {
        arrived.resolve()
        await answering.promise
        response.end()
      },
      { name: 'localhost' },
    )
    const first = update({ url: slow.url.href, state: 1 })
    await arrived.promise
    await server.clock.advance(1)
    await update({ url: slow.url.href, state: 2 })
    answering.resolve()

    expect((await first).device.relayDetails?.state).toBe('Inactive')
  })

  test('is visible in the device afterwards', async () => {
    const url = 'https://localhost:1/'
    await update({ url, state: 2 }, roof2)
    const response = await server.get(`/v1/devices/${roof2}`, await server.userToken())
    expect(((await response.json()) as Device).relayDetails).toEqual({
      url,
      state: 'Inactive',
      failureDescription: null,
    })
  })
})

describe('by default', () => {
  let strict: ServerUnderTest
  beforeAll(async () => {
    strict = await aServer()
  })
  afterAll(() => strict.stop())

  test.each(['https://127.0.0.1/', 'https://localhost/', 'https://relay/', 'https://a.example.com:22/'])(
    '%s is refused with 400 at /url, and the device is not changed',
    async (url) => {
      const response = await strict.post(`/v1/devices/${roof1}/relay`, await strict.userToken(), { url, state: 1 })
      expect([response.status, await response.json()]).toEqual([
        400,
        expect.objectContaining({ code: 'invalid_body', errors: [expect.objectContaining({ pointer: '/url' })] }),
      ])
      const device = await strict.get(`/v1/devices/${roof1}`, await strict.userToken())
      expect(((await device.json()) as Device).relayDetails).toBeNull()
    },
  )

  test('a name that does not resolve makes the relay Failed, with 200', async () => {
    const { status, device } = await update({ url: 'https://relay.nowhere.invalid/', state: 1 }, roof1, strict)
    expect([status, device.relayDetails?.state, device.relayDetails?.failureDescription]).toEqual([
      200,
      'Failed',
      'The host name of the relay address does not lead to a public address',
    ])
  })
})

describe('a relay message', () => {
  test('contains the whole report, has one id and is signed', async () => {
    const relay = await aConsentingRelay()
    await update({ url: relay.url.href, state: 1 })
    const position = JSON.stringify(aPosition({ id: 'p', unknown: { a: [1, -0.5, 'ü🛰'] } }))
    const text = `{"sensor":{"id":"roof1","__proto__":{"x":1}},"positions":[${position}],"more":null}`
    expect((await server.post('/v1/position-reports', await server.deviceToken(), text)).status).toBe(202)
    await vi.waitFor(() => expect(relay.requests).toHaveLength(2))

    const { body = '', headers } = relay.requests[1] ?? {}
    expect(body).toBe(`{"name":"position_report","version":"1.0","positionReport":${text}}`)
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^urn:aa:device:[a-z-]+:roof1\/[\w-]{43}$/),
      'webhook-timestamp': String(Math.floor(server.clock.now() / 1_000)),
    })
    const jwks = (await (await server.fetch('/oauth/v2/jwks')).json()) as { keys: (JsonWebKey & { crv?: string })[] }
    const key = jwks.keys.find(({ crv }) => crv === 'Ed25519')
    const [, signature = ''] = /^v1a,(.+)$/.exec(String(headers?.['webhook-signature'])) ?? []
    const signed = Buffer.from(`${headers?.['webhook-id']}.${headers?.['webhook-timestamp']}.${body}`)
    const publicKey = createPublicKey({ key: { ...key }, format: 'jwk' })
    expect(verify(null, signed, publicKey, Buffer.from(signature, 'base64'))).toBe(true)
  })

  test('has the trace of the request that submitted the report, and its own id', async () => {
    const relay = await aConsentingRelay()
    await update({ url: relay.url.href, state: 1 })
    const trace = '0af7651916cd43dd8448eb211c80319c'
    const traced = { traceparent: `00-${trace}-b7ad6b7169203331-01`, tracestate: 'a=1 and 2, b@c=3' }
    const invalid = { ...traced, traceparent: `${traced.traceparent}-more` }
    const sent: Record<string, string>[] = [traced, { traceparent: traced.traceparent }, {}, invalid]
    for (const headers of sent) {
      const { status } = await submit(aReport(), headers)
      expect(status).toBe(202)
    }
    await vi.waitFor(() => expect(relay.requests).toHaveLength(5))

    const [first, second, ...others] = relay.requests.slice(1).map(({ headers }) => headers.traceparent)
    expect(first).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`))
    expect(second).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`))
    expect(new Set([traced.traceparent, first, second]).size).toBe(3)
    expect(others).toEqual([undefined, undefined])
    const states = relay.requests.slice(1).map(({ headers }) => headers.tracestate)
    expect(states).toEqual(['a=1 and 2, b@c=3', undefined, undefined, undefined])
  })

  test('is sent in the order of acceptance', async () => {
    const relay = await aConsentingRelay()
    await update({ url: relay.url.href, state: 1 }, roof2)
    const token = await server.deviceToken('fleet', 'roof2')
    const ids = Array.from({ length: 30 }, (_, n) => `n${n}`)
    for (const id of ids) {
      await server.post('/v1/position-reports', token, aReport({ positions: [aPosition({ id })] }))
    }
    await vi.waitFor(() => expect(relay.requests).toHaveLength(31))
    const got = relay.requests.slice(1).map(({ body }) => JSON.parse(body).positionReport.positions[0].id)
    expect(got).toEqual(ids)
    await update({ url: relay.url.href, state: 2 }, roof2)
  })

  test('is not sent when the relay is Inactive', async () => {
    const relay = await aConsentingRelay()
    await update({ url: relay.url.href, state: 1 }, roof2)
    await update({ url: relay.url.href, state: 2 }, roof2)
    await server.post('/v1/position-reports', await server.deviceToken('fleet', 'roof2'), aReport())
    await server.processed()
    expect(relay.requests).toHaveLength(1)
  })
})
