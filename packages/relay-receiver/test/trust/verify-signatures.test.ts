import type { IncomingHttpHeaders } from 'node:http'
import { runInNewContext } from 'node:vm'
import type { JwkSet } from '@posrep/spec'
import { expect, test, vi } from 'vitest'
import { type Fetch, relayReceiver, verifySignatures } from '../../src/index.ts'
import { aReportMessage, aRequest, aSigningKey, fakeClock, nowMs, tokenKey } from '../builders.ts'

const body = JSON.stringify(aReportMessage())
const issuer = 'https://auth.example.net'
const metadataAddress = `${issuer}/.well-known/oauth-authorization-server`
const jwksAddress = `${issuer}/oauth/v2/jwks`

test('a signed report is accepted, and its delivery is verified', async () => {
  const key = await aSigningKey()
  const { receive, onReport } = aVerifyingReceiver({ keys: [tokenKey, key.jwk] })

  const response = await receive(aRequest({ body, headers: await key.sign(body) }))

  expect(response.status).toBe(204)
  expect(onReport.mock.lastCall?.[1].verified).toBe(true)
})

test('members of the key set that are no Ed25519 keys are ignored', async () => {
  const key = await aSigningKey()
  const keys = [null, 'key', 7, {}, { ...key.jwk, kty: 'EC' }, { ...key.jwk, crv: 'X25519' }, tokenKey, key.jwk]
  const { receive } = aVerifyingReceiverOf(() => Response.json({ keys }))

  expect((await receive(aRequest({ body, headers: await key.sign(body) }))).status).toBe(204)
})

test('a validation message without a signature is refused', async () => {
  const key = await aSigningKey()
  const { receive } = aVerifyingReceiver({ keys: [key.jwk] })
  const validation = JSON.stringify({ name: 'validate', version: '1.0', validationCode: crypto.randomUUID() })

  expect((await receive(aRequest({ body: validation }))).status).toBe(401)
  expect((await receive(aRequest({ body: validation, headers: await key.sign(validation) }))).status).toBe(200)
})

test('the signature is checked before the body is parsed', async () => {
  const { receive } = aVerifyingReceiver({ keys: [(await aSigningKey()).jwk] })

  expect((await receive(aRequest({ body: '{bad' }))).status).toBe(401)
})

test('a message with one altered byte, ID or timestamp is refused with 401', async () => {
  const key = await aSigningKey()
  const { receive, onReport } = aVerifyingReceiver({ keys: [key.jwk] })
  const headers = await key.sign(body)

  const attempts = [
    { body: body.replace('60.31721', '60.31722'), headers },
    { body: `${body} `, headers },
    { body, headers: { ...headers, 'webhook-id': 'msg_2' } },
    { body, headers: { ...headers, 'webhook-timestamp': String(nowMs / 1000 + 1) } },
    { body, headers: { ...headers, 'webhook-signature': headers['webhook-signature']?.replace('v1a,', 'v1,') ?? '' } },
    { body, headers: { ...headers, 'webhook-signature': '' } },
    { body, headers: { ...headers, 'webhook-signature': `v1a,${'A'.repeat(86)}==` } },
    { body, headers: { ...headers, 'webhook-signature': 'v1a,short' } },
  ]
  for (const attempt of attempts) expect((await receive(aRequest(attempt))).status).toBe(401)
  expect(onReport).not.toHaveBeenCalled()
})

test('a message is accepted up to five minutes before or after its timestamp, and refused beyond that', async () => {
  const key = await aSigningKey()
  const { receive } = aVerifyingReceiver({ keys: [key.jwk] })
  const statusAt = async (offsetSeconds: number) =>
    (await receive(aRequest({ body, headers: await key.sign(body, { atMs: nowMs + offsetSeconds * 1000 }) }))).status

  expect(await statusAt(-300)).toBe(204)
  expect(await statusAt(300)).toBe(204)
  expect(await statusAt(-301)).toBe(401)
  expect(await statusAt(301)).toBe(401)
})

test('a message with one valid signature among several is accepted', async () => {
  const [old, current] = await Promise.all([aSigningKey('old'), aSigningKey('current')])
  const { receive } = aVerifyingReceiver({ keys: [current.jwk] })
  const [a, b] = await Promise.all([old.sign(body), current.sign(body)])
  const headers = { ...a, 'webhook-signature': `v1,aGk= ${a['webhook-signature']} ${b['webhook-signature']}` }

  expect((await receive(aRequest({ body, headers }))).status).toBe(204)
})

test('only the first eight signatures of the header are tried', async () => {
  const key = await aSigningKey()
  const { receive } = aVerifyingReceiver({ keys: [key.jwk] })
  const headers = await key.sign(body)
  const junk = `v1a,${'A'.repeat(86)}== `.repeat(8)

  const answer = await receive(
    aRequest({ body, headers: { ...headers, 'webhook-signature': junk + headers['webhook-signature'] } }),
  )

  expect(answer.status).toBe(401)
})

test('concurrent deliveries share one request for the key set', async () => {
  const key = await aSigningKey()
  const { receive, fetch } = aVerifyingReceiverOf(() => Response.json({ keys: [tokenKey, key.jwk] }))
  const headers = await key.sign(body)

  const answers = await Promise.all(Array.from({ length: 50 }, () => receive(aRequest({ body, headers }))))

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
  expect(fetch).toHaveBeenCalledTimes(1)
})

test('a message signed with a new key makes the receiver fetch the key set, and a removed key is no longer accepted', async () => {
  const [old, next] = await Promise.all([aSigningKey('old'), aSigningKey('next')])
  const published: JwkSet = { keys: [old.jwk] }
  const { receive, clock } = aVerifyingReceiverOf(() => Response.json(published))
  const statusBy = async (key: typeof old) =>
    (await receive(aRequest({ body, headers: await key.sign(body, { atMs: clock.now() }) }))).status
  expect(await statusBy(old)).toBe(204)

  published.keys = [next.jwk]
  await clock.advance(30_000)

  expect(await statusBy(next)).toBe(204)
  expect(await statusBy(old)).toBe(401)
})

test('forged signatures cannot make the receiver fetch the key set more often than every 30 s', async () => {
  const [key, forger] = await Promise.all([aSigningKey(), aSigningKey('forger')])
  const { receive, fetch } = aVerifyingReceiverOf(() => Response.json({ keys: [key.jwk] }))
  const headers = await forger.sign(body)

  for (let attempt = 0; attempt < 20; attempt++) expect((await receive(aRequest({ body, headers }))).status).toBe(401)

  expect(fetch).toHaveBeenCalledTimes(1)
})

test('a key set is cached for five minutes', async () => {
  const key = await aSigningKey()
  const { receive, fetch, clock } = aVerifyingReceiverOf(() => Response.json({ keys: [key.jwk] }))
  const send = async () => receive(aRequest({ body, headers: await key.sign(body, { atMs: clock.now() }) }))

  await send()
  await clock.advance(5 * 60_000 - 1)
  await send()
  expect(fetch).toHaveBeenCalledTimes(1)

  await clock.advance(1)
  await send()
  expect(fetch).toHaveBeenCalledTimes(2)
})

const brokenKeySets: Record<string, () => Response> = {
  'is down': () => {
    throw new TypeError('fetch failed')
  },
  'answers 503': () => new Response('', { status: 503 }),
  'answers HTML': () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
  'answers JSON that is not a key set': () => Response.json({ error: 'no' }),
  'answers more than 64 KiB': () => new Response('x'.repeat(65 * 1024)),
}

for (const [what, answer] of Object.entries(brokenKeySets)) {
  test(`while the key set's address ${what}, messages are answered with 503 and onError gets the cause`, async () => {
    const key = await aSigningKey()
    const { receive, onError } = aVerifyingReceiverOf(answer)

    const response = await receive(aRequest({ body, headers: await key.sign(body) }))

    expect(response.status).toBe(503)
    expect(onError.mock.lastCall?.[0]).toMatchObject({ code: 'keys_unavailable' })
    expect(onError.mock.lastCall?.[0].cause).toBeInstanceOf(Error)
  })
}

test('the key set is fetched without following redirects', async () => {
  const key = await aSigningKey()
  const { receive, fetch } = aVerifyingReceiverOf(() => Response.json({ keys: [key.jwk] }))

  await receive(aRequest({ body, headers: await key.sign(body) }))

  expect(fetch.mock.lastCall?.[0].url).toBe(jwksAddress)
  expect(fetch.mock.lastCall?.[0].redirect).toBe('manual')
})

test('a redirect is answered with 503, and onError gets the address and the reason', async () => {
  const key = await aSigningKey()
  for (const answer of [() => Response.redirect('https://elsewhere.example.net/', 302), anOpaqueRedirect]) {
    const { receive, onError } = aVerifyingReceiverOf(answer)

    expect((await receive(aRequest({ body, headers: await key.sign(body) }))).status).toBe(503)

    expect(onError.mock.lastCall?.[0].cause.message).toBe(
      `GET ${jwksAddress} answered with a redirect, which is not followed`,
    )
  }
})

/** As browsers show a redirect. */
function anOpaqueRedirect(): Response {
  return Object.defineProperties(Response.error(), { type: { value: 'opaqueredirect' } })
}

test('a message of a queue is verified whether its body is text, a Buffer, an ArrayBuffer or any other view of bytes', async () => {
  const key = await aSigningKey()
  const clock = fakeClock()
  const verify = verifySignatures({ from: { keys: [key.jwk] }, clock })
  const signed = await key.sign(body)
  const headers: IncomingHttpHeaders = signed
  const message = {
    id: headers['webhook-id'],
    timestamp: headers['webhook-timestamp'],
    signature: headers['webhook-signature'],
  }
  const bytes = new TextEncoder().encode(body)
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength))
  shared.set(bytes)
  const ofOtherRealm: ArrayBuffer = runInNewContext('new ArrayBuffer(length)', { length: bytes.byteLength })
  new Uint8Array(ofOtherRealm).set(bytes)
  const part = new Uint8Array([0, ...bytes, 0]).subarray(1, bytes.byteLength + 1)

  for (const given of [body, Buffer.from(body), bytes.buffer, bytes, shared, ofOtherRealm, part]) {
    await verify({ ...message, body: given })
    await expect(verify({ ...message, id: 'other', body: given })).rejects.toMatchObject({ code: 'invalid_signature' })
  }
  await expect(verify({ ...message, id: undefined, body })).rejects.toMatchObject({ code: 'invalid_signature' })
  await expect(verify({ ...message, body: JSON.parse(body) })).rejects.toThrow('"body" must be the raw text or bytes')
})

test('a wrong option throws at creation', () => {
  for (const from of ['http://auth.example.net', 'https://auth.example.net/oauth', 'auth.example.net', '']) {
    expect(() => verifySignatures({ from })).toThrow(`"from" must be the service's issuer, an https origin`)
  }
  expect(() => verifySignatures({ from: { keys: [tokenKey] } })).toThrow('"from" must have an Ed25519 key')
  expect(() => verifySignatures({ from: issuer, toleranceSeconds: 0 })).toThrow('"toleranceSeconds"')
})

function aVerifyingReceiver(from: JwkSet) {
  const onReport = vi.fn()
  const clock = fakeClock()
  return { receive: relayReceiver({ onReport, clock, from, devices: 'all' }).fetch, onReport }
}

/** `answer` answers the requests for the key set, and `fetch` counts them. */
function aVerifyingReceiverOf(answer: () => Response) {
  const clock = fakeClock()
  const onError = vi.fn()
  const fetch = vi.fn<Fetch>(async () => answer())
  const withMetadata: Fetch = async (request) =>
    request.url === metadataAddress ? Response.json({ issuer, jwks_uri: jwksAddress }) : fetch(request)
  const { fetch: receive } = relayReceiver({
    onReport: () => {},
    onError,
    from: issuer,
    devices: 'all',
    fetch: withMetadata,
    clock,
  })
  return { receive, fetch, clock, onError }
}
