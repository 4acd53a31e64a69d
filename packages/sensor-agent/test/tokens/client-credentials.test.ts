import { expect, test } from 'vitest'
import { type ClientCredentialsOptions, clientCredentials } from '../../src/tokens/client-credentials.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { type Answer, aNetwork, problem } from '../support/network.ts'

test('the request for a device token is the one in the specification', async () => {
  const { source, network } = aSource()

  expect(await source.get()).toBe('access-1')

  const [request] = network.seen
  expect(request?.method).toBe('POST')
  expect(request?.redirect).toBe('manual')
  expect(request?.url).toBe('https://auth.example/oauth/v2/token')
  expect(request?.headers.get('content-type')).toMatch(/^application\/x-www-form-urlencoded/)
  expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
    client_id: 'fleet',
    client_secret: 's3cret & more',
    grant_type: 'client_credentials',
    scope: 'surveillance_api',
    token_format: 'jwt',
    device_id: 'roof1',
  })
})

test('a token is used until shortly before it expires', async () => {
  const { source, clock } = aSource()

  expect(await source.get()).toBe('access-1')
  await clock.advance(3_539_999)
  expect(await source.get()).toBe('access-1')
  await clock.advance(1)

  expect(await source.get()).toBe('access-2')
})

test('a short token is renewed in its last tenth', async () => {
  const { source, clock } = aSource((_, at) => tokens(at + 1, 10))

  await source.get()
  await clock.advance(8_999)
  expect(await source.get()).toBe('access-1')
  await clock.advance(1)

  expect(await source.get()).toBe('access-2')
})

test('fifty concurrent callers share one request', async () => {
  const { source, network } = aSource()

  const got = await Promise.all(Array.from({ length: 50 }, () => source.get()))
  const refreshed = await Promise.all(Array.from({ length: 50 }, () => source.refresh('access-1')))

  expect(new Set(got)).toEqual(new Set(['access-1']))
  expect(new Set(refreshed)).toEqual(new Set(['access-2']))
  expect(network.seen).toHaveLength(2)
})

test('a refresh of a token that was already replaced sends no request', async () => {
  const { source, network } = aSource()
  await source.get()
  await source.refresh('access-1')

  expect(await source.refresh('access-1')).toBe('access-2')

  expect(network.seen).toHaveLength(2)
})

test.each([
  [401, { error: 'invalid_client', error_description: 'The client could not be authenticated' }],
  [400, { error: 'invalid_request', error_description: 'No such sensor' }],
])('a %i from the token endpoint is "credentials_refused", without the secret in the message', async (status, body) => {
  const { source } = aSource(() => Response.json(body, { status }))

  await expect(source.get()).rejects.toMatchObject({
    code: 'credentials_refused',
    message: expect.stringContaining(`${body.error}: ${body.error_description}`),
  })
  await expect(source.get()).rejects.not.toThrow('s3cret')
})

test.each([
  ['an overload', () => new Response('', { status: 429, headers: { 'retry-after': '7' } }), 7_000],
  ['an outage', () => new Response('', { status: 503 }), undefined],
])('%s is "token_unavailable"', async (_, answer, retryAfterMs) => {
  const { source } = aSource(answer)

  await expect(source.get()).rejects.toMatchObject({ code: 'token_unavailable', retryAfterMs })
})

test.each([
  ["a proxy's 400", () => new Response('<html>', { status: 400 }), /answered 400 with text\/plain.*check the network/],
  ['the page of a proxy', () => new Response('<html>', { status: 407 }), /the proxy asks for a user and a password/],
  [
    'a redirect',
    () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/login?token=x' } }),
    /answered 302 and sends to https:\/\/elsewhere.example\/login with no content/,
  ],
  ['a page instead of tokens', () => new Response('<html>', { status: 200 }), /without valid tokens/],
  ['tokens without a token', () => Response.json({ token_type: 'bearer', expires_in: 1 }), /without valid tokens/],
  [
    'a path that the service does not have',
    () => problem(404, { detail: 'no such path' }),
    /no such path; check that the address/,
  ],
])('%s is an alarm as it is at reports: "foreign_answer"', async (_, answer, message) => {
  const { source } = aSource(answer)

  await expect(source.get()).rejects.toMatchObject({
    code: 'foreign_answer',
    message: expect.stringMatching(message),
  })
})

test('a request to a token endpoint that does not answer ends at the deadline', async () => {
  const { source, clock } = aSource(() => new Promise(() => undefined))
  const rejected = expect(source.get()).rejects.toMatchObject({ code: 'service_unreachable' })

  await clock.advance(10_000)

  await rejected
})

test('a failure is not cached: the next call sends a new request', async () => {
  const { source } = aSource((_, at) => (at === 0 ? new Response('', { status: 503 }) : tokens(1)))

  await expect(source.get()).rejects.toMatchObject({ code: 'token_unavailable' })

  expect(await source.get()).toBe('access-1')
})

test('a token whose renewal fails temporarily is used until it expires', async () => {
  const { source, clock } = aSource((_, at) => (at === 0 ? tokens(1) : new Response('', { status: 503 })))
  await source.get()

  await clock.advance(3_599_999)
  expect(await source.get()).toBe('access-1')
  await clock.advance(1)

  await expect(source.get()).rejects.toMatchObject({ code: 'token_unavailable' })
})

test('the token type is case-insensitive', async () => {
  const { source } = aSource(() => Response.json({ access_token: 'a', token_type: 'Bearer', expires_in: 60 }))
  expect(await source.get()).toBe('a')
})

test.each(['clientId', 'clientSecret', 'localId'] as const)('an empty %s throws at creation', (option) => {
  expect(() => aSource(undefined, { [option]: '' })).toThrow(`"${option}"`)
})

test('plain HTTP is refused for secrets', () => {
  expect(() => aSource(undefined, { authOrigin: new URL('http://auth.example') })).toThrow(
    '"authOrigin" must be an https',
  )
})

function aSource(answer: Answer = (_, at) => tokens(at + 1), options: Partial<ClientCredentialsOptions> = {}) {
  const clock = createManualClock()
  const network = aNetwork(answer)
  const source = clientCredentials({
    authOrigin: new URL('https://auth.example'),
    clientId: 'fleet',
    clientSecret: 's3cret & more',
    localId: 'roof1',
    clock,
    fetch: network.fetch,
    ...options,
  })
  return { source, clock, network }
}

function tokens(number: number, expires_in = 3_600): Response {
  return Response.json({
    access_token: `access-${number}`,
    token_type: 'bearer',
    expires_in,
    refresh_token: `refresh-${number}`,
  })
}
