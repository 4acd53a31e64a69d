import type { Delivery, DeviceList, PairingRequest, RecentPositionReportList } from '@posrep/spec'
import { expect, test, vi } from 'vitest'
import { ApiError, createClient, createLogin, createSession, type Fetch, SessionError } from '../../src/index.ts'
import {
  aDevice,
  aFetch,
  aProblem,
  aService,
  aTokens,
  clock,
  deferred,
  type SeenRequest,
  type StubAnswer,
  urn,
} from '../builders.ts'

const encodedUrn = encodeURIComponent(urn)

test('listDevices lists the devices', async () => {
  const list: DeviceList = { data: [aDevice()] }
  const { client, seen } = await aClient(() => ({ body: list }))

  expect(await client.listDevices()).toEqual(list)
  expect(await client.listDevices({ limit: 10, after: urn })).toEqual(list)
  expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /v1/devices',
    `GET /v1/devices?limit=10&after=${encodedUrn}`,
  ])
  expect(seen[0]?.authorization).toBe('Bearer access-1')
})

test('getDevice gets one device by its URN', async () => {
  const { client, seen } = await aClient(() => ({ body: aDevice() }))

  expect(await client.getDevice(urn)).toEqual(aDevice())
  expect(decodeURIComponent(seen[0]?.path ?? '')).toBe(`/v1/devices/${urn}`)
})

test('an invalid URN is encoded as one segment of the path', async () => {
  const { client, seen } = await aClient(() => ({ body: aDevice() }))

  await client.getDevice('../pairing-requests?x=#1')

  expect(seen[0]?.path).toBe('/v1/devices/..%2Fpairing-requests%3Fx%3D%231')
})

test('listRecentReports lists the reports of the window', async () => {
  const list: RecentPositionReportList = { data: [], truncated: true }
  const { client, seen } = await aClient(() => ({ body: list }))

  expect(await client.listRecentReports(urn, { limit: 5 })).toEqual(list)
  expect(seen[0]?.path).toBe(`/v1/devices/${encodedUrn}/recent?limit=5`)
})

for (const flag of [true, false]) {
  test(`toggleStoringPositionReports resolves with the new flag ${flag}`, async () => {
    const { client, seen } = await aClient(() => ({ body: flag }))

    expect(await client.toggleStoringPositionReports(urn)).toBe(flag)
    expect(seen[0]).toMatchObject({ method: 'POST', path: `/v1/devices/${encodedUrn}/toggle-storing-position-reports` })
    expect(seen[0]?.body).toHaveLength(0)
  })
}

test('updateRelay sends the number of the state and resolves with the device', async () => {
  const url = 'https://relay.example.net/position-reports'
  const device = aDevice({
    relayDetails: { url, state: 'Failed', failureDescription: 'no' },
    positionReportMetrics: null,
  })
  const { client, seen } = await aClient(() => ({ body: device }))

  expect(await client.updateRelay(urn, { url, state: 'Active' })).toEqual(device)
  await client.updateRelay(urn, { url, state: 'Inactive' })
  await client.updateRelay(urn, { url, state: 'Failed' })

  expect(seen.map(({ body }) => JSON.parse(String(body)))).toEqual([1, 2, 3].map((state) => ({ url, state })))
  expect(seen[0]).toMatchObject({
    method: 'POST',
    path: `/v1/devices/${encodedUrn}/relay`,
    contentType: 'application/json',
  })
})

test('a pairing request is created, read and cancelled', async () => {
  const pairing: PairingRequest = {
    id: 'pr_1',
    deviceId: urn,
    clientUniqueId: 'roof1',
    state: 'pending',
    consumedBy: null,
    sources: 0,
    expiresAt: '2026-01-07T12:01:30.250Z',
  }
  const { client, seen } = await aClient(({ method }) => {
    if (method === 'DELETE') return { status: 204 }
    return { status: method === 'POST' ? 201 : 200, body: pairing }
  })

  expect(await client.createPairingRequest(urn)).toEqual(pairing)
  expect(await client.getPairingRequest('pr_1')).toEqual(pairing)
  expect(await client.cancelPairingRequest('pr_1')).toBeUndefined()
  expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /v1/pairing-requests',
    'GET /v1/pairing-requests/pr_1',
    'DELETE /v1/pairing-requests/pr_1',
  ])
  expect(JSON.parse(String(seen[0]?.body))).toEqual({ deviceId: urn })
})

test('deliveries are listed, read and resent, and a test message resolves with its outcome', async () => {
  const delivery: Delivery = {
    id: 'dl_1',
    messageId: 'msg_1',
    state: 'buried',
    owedSince: '2026-01-07T12:00:30.250Z',
    positions: 1,
    attemptCount: 0,
    attempts: [],
    nextAttemptAt: null,
    reason: 'The relay answered 422',
  }
  const { client, seen } = await aClient(({ path }) => {
    if (path.endsWith('/resend') || path.endsWith('/retry')) return { status: 202 }
    return { body: path.includes('deliveries?') ? { data: [delivery], pending: 0, buried: 1 } : delivery }
  })

  expect((await client.listDeliveries(urn, { state: 'buried', limit: 5 })).data).toEqual([delivery])
  expect(await client.getDelivery(urn, 'dl_1')).toEqual(delivery)
  expect(await client.resendDelivery(urn, 'dl_1')).toBeUndefined()
  expect(await client.sendTestMessage(urn)).toEqual(delivery)
  expect(await client.retryRelay(urn)).toBeUndefined()
  expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `GET /v1/devices/${encodedUrn}/deliveries?state=buried&limit=5`,
    `GET /v1/devices/${encodedUrn}/deliveries/dl_1`,
    `POST /v1/devices/${encodedUrn}/deliveries/dl_1/resend`,
    `POST /v1/devices/${encodedUrn}/relay/test-message`,
    `POST /v1/devices/${encodedUrn}/relay/retry`,
  ])
})

test('a relay address is changed, buried messages are resent, and a device has a history and is removed', async () => {
  const { client, seen } = await aClient(({ method, path }) => {
    if (method === 'DELETE') return { status: 204 }
    if (path.endsWith('/resend-buried')) return { body: { resent: 2, buried: 0 } }
    if (path.endsWith('/history')) return { body: { pairings: [], lastToken: null, lastRefusedReport: null } }
    return { body: aDevice() }
  })

  await client.changeRelayAddress(urn, 'https://relay2.example.net/')
  expect(await client.resendBuriedDeliveries(urn)).toEqual({ resent: 2, buried: 0 })
  expect((await client.getDeviceHistory(urn)).pairings).toEqual([])
  expect(await client.removeDevice(urn)).toBeUndefined()
  expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `POST /v1/devices/${encodedUrn}/relay/change-address`,
    `POST /v1/devices/${encodedUrn}/resend-buried`,
    `GET /v1/devices/${encodedUrn}/history`,
    `DELETE /v1/devices/${encodedUrn}`,
  ])
  expect(JSON.parse(String(seen[0]?.body))).toEqual({ url: 'https://relay2.example.net/' })
})

test('a device is renamed, its tokens are revoked, and sensors are requested', async () => {
  const { client, seen } = await aClient(({ method, path }) => {
    if (path.endsWith('/revoke-tokens')) return { status: 204 }
    if (path.includes('sensor-requests')) return { status: method === 'POST' ? 201 : 200, body: { data: [] } }
    return { body: aDevice({ deviceName: 'Mast' }) }
  })

  expect((await client.changeDevice(urn, { deviceName: 'Mast' })).deviceName).toBe('Mast')
  expect(await client.revokeDeviceTokens(urn)).toBeUndefined()
  expect(await client.createSensorRequests([{ clientUniqueId: 'new1' }])).toEqual({ data: [] })
  expect(await client.listSensorRequests()).toEqual({ data: [] })
  expect(seen.map(({ method, path, body }) => `${method} ${path} ${body}`)).toEqual([
    `PATCH /v1/devices/${encodedUrn} {"deviceName":"Mast"}`,
    `POST /v1/devices/${encodedUrn}/revoke-tokens `,
    'POST /v1/sensor-requests {"sensors":[{"clientUniqueId":"new1"}]}',
    'GET /v1/sensor-requests ',
  ])
})

test('fifty concurrent calls that are answered 401 share one refresh, and all succeed', async () => {
  const { client, seen, forms } = await aSignedInClient({ validFrom: 2 })

  const lists = await Promise.all(Array.from({ length: 50 }, () => client.listDevices()))

  expect(lists).toEqual(Array(50).fill({ data: [] }))
  expect(forms).toEqual([expect.objectContaining({ grant_type: 'refresh_token', refresh_token: 'refresh-1' })])
  expect(seen.filter(({ path }) => path === '/v1/devices')).toHaveLength(100)
})

test('the second attempt has the same method, headers and body', async () => {
  const { client, seen } = await aSignedInClient({ validFrom: 2 })
  const url = `https://relay.example.net/${'%C3%A4€'.repeat(20_000)}`

  await client.updateRelay(urn, { url, state: 'Active' })

  const [first, second] = seen.filter(({ path }) => path.endsWith('/relay'))
  expect(second?.authorization).toBe('Bearer access-2')
  expect(second?.body.equals(first?.body ?? Buffer.of())).toBe(true)
  expect(second).toEqual({ ...first, authorization: 'Bearer access-2' })
  expect(JSON.parse(String(second?.body))).toEqual({ url, state: 1 })
})

test('a stream is not sent again after a 401: the error says so, and the tokens are fresh', async () => {
  const { client, seen, session } = await aSignedInClient({ validFrom: 2 })
  const submit = () =>
    client.raw.POST('/v1/pairing-requests', {
      body: { deviceId: urn },
      bodySerializer: () => new Blob(['{}']).stream(),
      duplex: 'half',
    })

  await expect(submit()).rejects.toMatchObject({
    name: 'ApiError',
    code: 'stream_not_replayable',
    status: 401,
    message: expect.stringContaining('a stream is sent once'),
  })
  expect(await session.getAccessToken()).toBe('access-2')
  expect((await submit()).response.ok).toBe(true)
  expect(seen.filter(({ path }) => path === '/v1/pairing-requests')).toHaveLength(2)
})

test('a second 401 rejects the call, and there is no third attempt', async () => {
  const { client, seen, forms, onSignedOut } = await aSignedInClient({ validFrom: 99 })

  await expect(client.listDevices()).rejects.toMatchObject({ name: 'ApiError', code: 'unauthorized', status: 401 })

  expect(forms).toHaveLength(1)
  expect(seen.filter(({ path }) => path === '/v1/devices')).toHaveLength(2)
  expect(onSignedOut).not.toHaveBeenCalled()
})

test('a refresh that is answered 401 ends the session', async () => {
  const { client, onSignedOut, session } = await aSignedInClient({
    validFrom: 2,
    token: () => ({ status: 401, body: { error: 'invalid_grant' } }),
  })

  await expect(client.listDevices()).rejects.toSatisfy(
    (error) => error instanceof SessionError && error.code === 'login_required',
  )

  expect(onSignedOut.mock.calls).toEqual([['login_required']])
  expect(await session.findTokens()).toBeUndefined()
})

test('a refresh that is answered 503 rejects the call, and the session continues', async () => {
  let down = true
  const { client, onSignedOut } = await aSignedInClient({
    validFrom: 2,
    token: () => (down ? { status: 503 } : undefined),
  })

  await expect(client.listDevices()).rejects.toMatchObject({ name: 'SessionError', code: 'temporarily_unavailable' })
  expect(onSignedOut).not.toHaveBeenCalled()

  down = false
  expect(await client.listDevices()).toEqual({ data: [] })
})

test('a call with an older token that gets a late 401 is sent again without another refresh', async () => {
  const { promise: held, resolve: release } = deferred<void>()
  let first = true
  const { client, forms, seen } = await aSignedInClient({
    validFrom: 2,
    async before({ path }) {
      if (path !== '/v1/devices?limit=1' || !first) return
      first = false
      await held
    },
  })
  const late = client.listDevices({ limit: 1 })
  await vi.waitFor(() => expect(seen).toHaveLength(1))
  await client.listDevices()

  release()

  expect(await late).toEqual({ data: [] })
  expect(forms).toHaveLength(1)
})

test('getToken may be any function; if it returns no new token, a call is not sent again after a 401', async () => {
  const { origin, seen } = await aService(() => ({
    status: 401,
    body: aProblem({ status: 401, code: 'invalid_token' }),
  }))
  const client = createClient({ origin, getToken: () => 'mine' })

  await expect(client.listDevices()).rejects.toMatchObject({ code: 'unauthorized' })
  expect(seen.map(({ authorization }) => authorization)).toEqual(['Bearer mine'])
})

test('the token is not sent to another origin', async () => {
  const { fetch, requests } = aFetch(() => Response.json({ data: [] }))
  const client = createClient({ origin: 'https://ui.example.net', getToken: () => 'mine', fetch })

  const attempt = client.raw.GET('/v1/devices', { baseUrl: 'https://evil.example' })

  await expect(attempt).rejects.toMatchObject({ code: 'foreign_origin' })
  expect(requests).toHaveLength(0)
})

test('a redirect is not followed', async () => {
  const elsewhere = await aService(() => ({ body: { data: [] } }))
  const { client } = await aClient(() => ({ status: 307, headers: { location: `${elsewhere.origin}/v1/devices` } }))

  await expect(client.listDevices()).rejects.toMatchObject({ code: 'unexpected_answer', status: 307 })
  expect(elsewhere.seen).toHaveLength(0)
})

const failures: [status: number, code: string][] = [
  [400, 'invalid_request'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [409, 'relay_not_validated'],
  [413, 'invalid_request'],
  [415, 'invalid_request'],
  [418, 'unexpected_answer'],
  [429, 'too_many_requests'],
  [500, 'unavailable'],
  [503, 'unavailable'],
]

for (const [status, code] of failures) {
  test(`a response with ${status} becomes an ApiError ${code} with the problem`, async () => {
    const problem = aProblem({ status, ...(status === 409 && { code }) })
    const { client } = await aClient(() => ({ status, body: problem }))

    const error: unknown = await client.getDevice(urn).catch((error) => error)

    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code, status, problem })
    expect(String(error)).toContain(`getDevice was answered ${status}: No device "${urn}"; `)
  })
}

test('a conflict without a problem is an ApiError conflict', async () => {
  const { client } = await aClient(() => ({ status: 409 }))

  await expect(client.changeRelayAddress(urn, 'https://relay.example.net/')).rejects.toMatchObject({ code: 'conflict' })
})

test('a GET whose connection is reset is sent once more, and no other call', async () => {
  let resets = 1
  const sent: string[] = []
  const fetch: Fetch = async ({ method }) => {
    sent.push(method)
    if (resets-- > 0) throw new TypeError('fetch failed', { cause: new Error('read ECONNRESET') })
    return Response.json({ data: [] })
  }
  const client = createClient({ origin: 'https://ui.example.net', getToken: () => 'token', fetch })

  expect(await client.listDevices()).toEqual({ data: [] })
  for (const [count, call] of [
    [9, () => client.listDevices()],
    [1, () => client.toggleStoringPositionReports(urn)],
    [1, () => client.removeDevice(urn)],
  ] as const) {
    resets = count
    await expect(call()).rejects.toMatchObject({ code: 'unreachable' })
  }
  expect(sent).toEqual(['GET', 'GET', 'GET', 'GET', 'POST', 'DELETE'])
})

test('an option of a call that was misspelt is named, and nothing is sent', async () => {
  const { client, seen } = await aClient(() => ({ body: { data: [] } }))

  await expect(client.listDevices({ limt: 7 } as object)).rejects.toThrow('"limt" is not an option of listDevices()')
  await expect(client.getDevice(urn, { tiemout: 7 } as object)).rejects.toThrow(
    '"tiemout" is not an option of getDevice()',
  )
  expect(seen).toEqual([])
})

test('the ApiError of a response without a problem has no problem', async () => {
  const { client } = await aClient(() => ({ status: 502, body: Buffer.from('<html>') }))

  await expect(client.getDevice(urn)).rejects.toMatchObject({ code: 'unavailable', status: 502, problem: undefined })
  await expect(client.cancelPairingRequest('pr_1')).rejects.toMatchObject({ code: 'unavailable' })
})

const brokenAnswers: Record<string, StubAnswer> = {
  "a proxy's page": { body: Buffer.from('<html>'), headers: { 'content-type': 'text/html' } },
  'a page of known length': { body: Buffer.from('<html>'), headers: { 'content-length': '6' } },
  nothing: {},
}

for (const [what, answer] of Object.entries(brokenAnswers)) {
  test(`a 200 with ${what} becomes an ApiError unexpected_answer`, async () => {
    const { client } = await aClient(() => answer)

    await expect(client.listDevices()).rejects.toMatchObject({ name: 'ApiError', code: 'unexpected_answer' })
  })
}

test('a network failure becomes an ApiError unreachable with the cause', async () => {
  const cause = new TypeError('fetch failed')
  const fetch: Fetch = () => Promise.reject(cause)
  const client = createClient({ origin: 'https://ui.example.net', getToken: () => 'mine', fetch })

  await expect(client.listDevices()).rejects.toMatchObject({ code: 'unreachable', status: undefined, cause })
})

test('a call that the caller aborts rejects with the reason', async () => {
  const { client, seen } = await aClient(() => new Promise(() => {}))
  const abort = new AbortController()
  const call = client.listDevices({ signal: abort.signal })
  await vi.waitFor(() => expect(seen).toHaveLength(1))

  abort.abort(new Error('changed my mind'))

  await expect(call).rejects.toThrow('changed my mind')
})

test('an insecure origin throws at creation', () => {
  expect(() => createClient({ origin: 'http://ui.example.net', getToken: () => '' })).toThrow(
    '"origin" must be an https origin',
  )
})

/** A client with a service that uses the given answers. */
async function aClient(answer: (request: SeenRequest) => StubAnswer | Promise<StubAnswer>) {
  const { origin, seen } = await aService(answer)
  return { client: createClient({ origin, getToken: () => 'access-1' }), seen }
}

interface SignedInOptions {
  /** The service answers 401 to access tokens of older generations. */
  validFrom: number
  /** Overrides the answer of the token endpoint. */
  token?: () => StubAnswer | undefined
  before?: (request: SeenRequest) => Promise<void>
}

/** A client with login and session, and a service that rotates tokens. */
async function aSignedInClient({ validFrom, token = () => undefined, before = async () => {} }: SignedInOptions) {
  const forms: Record<string, string>[] = []
  const { origin, seen } = await aService(async (request) => {
    await before(request)
    if (request.path === '/oauth/v2/token') {
      const form = Object.fromEntries(new URLSearchParams(String(request.body)))
      forms.push(form)
      return token() ?? { body: aTokenResponseTo(form) }
    }
    const generation = Number(request.authorization?.replace('Bearer access-', ''))
    if (generation < validFrom)
      return { status: 401, body: aProblem({ status: 401, code: 'invalid_token', title: 'Invalid' }) }
    return { body: { data: [] } }
  })
  const redirectUri = 'https://app.example.net/callback'
  const login = createLogin({ authOrigin: origin, clientId: 'map-view', redirectUri, clock })
  const onSignedOut = vi.fn()
  const session = createSession({ login, tokens: aTokens(1), onSignedOut, clock })
  return { client: createClient({ origin, session }), session, seen, forms, onSignedOut }
}

function aTokenResponseTo({ refresh_token = '' }: Record<string, string>) {
  const next = Number(refresh_token.replace('refresh-', '')) + 1
  return { access_token: `access-${next}`, token_type: 'bearer', expires_in: 900, refresh_token: `refresh-${next}` }
}
