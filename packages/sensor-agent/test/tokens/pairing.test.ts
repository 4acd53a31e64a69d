import { expect, onTestFinished, test, vi } from 'vitest'
import { type PairingOptions, pairing } from '../../src/tokens/pairing.ts'
import { memoryTokenStore, type PairedTokens } from '../../src/tokens/token-store.ts'
import { anAgent, aPosition } from '../support/an-agent.ts'
import { breathe, createManualClock } from '../support/manual-clock.ts'
import { type Answer, accepted, aNetwork, problem, type Seen } from '../support/network.ts'

const pairedAtMs = Date.UTC(2026, 10, 21, 12, 0, 0)
const access = (number: number) => aJwt({ jti: `${number}`, client_id: 'fleet', iss: 'https://auth.example' })

test('consume-token is polled once a second until a user presses Pair', async () => {
  const { source, clock, network } = aSource((_, at) => (at < 3 ? problem(404) : paired()))
  const token = source.get()

  await clock.advance(2_999)
  expect(network.seen).toHaveLength(3)
  await clock.advance(1)

  expect(await token).toBe(access(1))
  expect(network.seen).toHaveLength(4)
  const [request] = network.seen
  expect(request?.method).toBe('POST')
  expect(request?.redirect).toBe('manual')
  expect(request?.url).toBe('https://ingest.example/v1/pairing-tokens/consume-token?clientUniqueId=roof1')
  expect(request?.headers.get('content-type')).toBe('application/json')
  expect(request?.headers.get('user-agent')).toMatch(/^posrep-agent\/\d+\.\d+\.\d+/)
  expect(request?.body).toBe('')
})

test('a local ID is encoded into the query', async () => {
  const { source, network } = aSource(() => paired(), { localId: 'imei:86&x=1' })
  await source.get()
  expect(network.seen[0]?.url).toMatch(/\?clientUniqueId=imei%3A86%26x%3D1$/)
})

test('without onPending the reason of the wait is printed once', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => printed.mockRestore())
  const clock = createManualClock(pairedAtMs)
  const { fetch } = aNetwork(() => problem(404, { detail: 'nobody has pressed Pair' }))
  const stop = new AbortController()
  const waiting = pairing({ ingestOrigin: new URL('https://ingest.example'), localId: 'roof1', clock, fetch })
    .get(stop.signal)
    .catch(() => 'stopped')

  await clock.advance(10_000)
  stop.abort()
  await waiting

  expect(printed.mock.calls).toEqual([[expect.stringMatching(/"roof1" waits for Pair: .*nobody has pressed Pair/)]])
})

test('the poll interval varies by up to a tenth', async () => {
  for (const [random, dueMs] of [
    [0, 900],
    [0.999999, 1_100],
  ] as const) {
    const { source, clock, network } = aSource(() => problem(404), { random: () => random })
    const token = source.get()
    token.catch(() => undefined)

    await clock.advance(dueMs - 1)
    expect(network.seen).toHaveLength(1)
    await clock.advance(1)

    expect(network.seen).toHaveLength(2)
  }
})

test.each([
  ['429', problem(429, {}, { 'retry-after': '20' }), 20_000],
  ['503', problem(503), 5_000],
  ['a 400 of a proxy', new Response('<html>', { status: 400 }), 5_000],
  ['a page instead of tokens', new Response('<html>', { status: 200 }), 5_000],
])('after %s the sensor waits longer', async (_, answer, afterMs) => {
  const { source, clock, network } = aSource((_, at) => (at === 0 ? answer : paired()))
  const token = source.get()

  await clock.advance(afterMs - 1)
  expect(network.seen).toHaveLength(1)
  await clock.advance(1)

  expect(await token).toBe(access(1))
})

test('polls continue at the usual interval while the network is down', async () => {
  const { source, clock } = aSource((_, at) => {
    if (at === 0) throw new TypeError('fetch failed')
    return paired()
  })
  const token = source.get()
  await clock.advance(1_000)
  expect(await token).toBe(access(1))
})

test('a local ID that the service refuses ends the pairing', async () => {
  const { source } = aSource(() => problem(400, { detail: 'clientUniqueId must be alphanumeric' }))
  await expect(source.get()).rejects.toMatchObject({
    code: 'pairing_denied',
    message: expect.stringContaining('alphanumeric'),
  })
})

test('pairing ends after "timeoutMs" with a message that says what to do', async () => {
  const { source, clock, network } = aSource(() => problem(404), { timeoutMs: 60_000 })
  const rejected = expect(source.get()).rejects.toMatchObject({
    code: 'pairing_expired',
    message: expect.stringMatching(/^No pairing request for "roof1" within 60 s .*press Pair in the portal/),
  })

  await clock.advance(61_000)

  await rejected
  expect(network.seen).toHaveLength(61)
})

test('concurrent callers share the polls, which stop when the last caller aborts', async () => {
  const { source, clock, network } = aSource(() => problem(404))
  const [first, second] = [new AbortController(), new AbortController()]
  const waiting = [source.get(first.signal), source.pair(second.signal)].map((promise) => promise.catch(() => 'gone'))
  await clock.advance(2_000)
  expect(network.seen).toHaveLength(3)

  first.abort()
  await clock.advance(2_000)
  expect(network.seen).toHaveLength(5)
  second.abort()
  await clock.advance(10_000)

  expect(await Promise.all(waiting)).toEqual(['gone', 'gone'])
  expect(network.seen).toHaveLength(5)
  expect(clock.sleepers()).toBe(0)
})

test('tokens that arrive after the last caller has aborted are stored', async () => {
  let answer: (response: Response) => void = () => undefined
  const { source, store } = aSource(() => new Promise((resolve) => (answer = resolve)))
  const impatient = new AbortController()
  const gone = source.get(impatient.signal).catch(() => 'gone')
  await breathe()

  impatient.abort()
  answer(paired())

  expect(await gone).toBe('gone')
  expect(await source.get()).toBe(access(1))
  expect(await store.read()).toMatchObject({ sensorId: 'urn:aa:device:acme:roof1' })
})

test('pair() resolves with the sensor ID, and stored tokens need no pairing', async () => {
  const { source, store } = aSource(() => paired())
  expect(await source.pair()).toEqual({ sensorId: 'urn:aa:device:acme:roof1' })

  const restarted = aSource(() => problem(404), { store })

  expect(await restarted.source.get()).toBe(access(1))
  expect(restarted.network.seen).toEqual([])
})

test('the refresh sends only the client ID from the token, to the issuer from the token', async () => {
  const { source, network } = aSource(byPath())
  await source.get()

  expect(await source.refresh(access(1))).toBe(access(2))

  const refresh = network.seen.at(-1)
  expect(refresh?.url).toBe('https://auth.example/oauth/v2/token')
  expect(Object.fromEntries(new URLSearchParams(refresh?.body))).toEqual({
    grant_type: 'refresh_token',
    refresh_token: 'refresh-1',
    client_id: 'fleet',
  })
})

test('"authOrigin" overrides the issuer', async () => {
  const { source, network } = aSource(byPath(), { authOrigin: new URL('https://other.example/id') })
  await source.get()
  await source.refresh(access(1))
  expect(network.seen.at(-1)?.url).toBe('https://other.example/id/oauth/v2/token')
})

test('a token is renewed a minute before it expires, with the rotated refresh token', async () => {
  const { source, clock, network } = aSource(byPath())
  await source.get()

  await clock.advance(3_539_999)
  expect(await source.get()).toBe(access(1))
  await clock.advance(1)
  expect(await source.get()).toBe(access(2))
  await source.refresh(access(2))

  expect(refreshTokens(network.seen)).toEqual(['refresh-1', 'refresh-2'])
})

test('fifty concurrent callers share one refresh', async () => {
  const { source, network } = aSource(byPath())
  await source.get()

  const got = await Promise.all(Array.from({ length: 50 }, () => source.refresh(access(1))))

  expect(new Set(got)).toEqual(new Set([access(2)]))
  expect(refreshTokens(network.seen)).toEqual(['refresh-1'])
})

test('refreshed tokens are stored before they are used', async () => {
  let stored: () => void = () => undefined
  const writes: PairedTokens[] = []
  const memory = memoryTokenStore()
  const store = {
    ...memory,
    write: (tokens: PairedTokens) => {
      writes.push(tokens)
      return writes.length === 1 ? memory.write(tokens) : new Promise<void>((resolve) => (stored = resolve))
    },
  }
  const { source } = aSource(byPath(), { store })
  await source.get()

  let used = false
  const refresh = source.refresh(access(1)).then(() => (used = true))
  await breathe()
  expect(writes.at(-1)).toMatchObject({ accessToken: access(2), refreshToken: 'refresh-2' })
  expect(used).toBe(false)
  stored()
  await refresh

  expect(used).toBe(true)
})

test('refreshed tokens that could not be stored are told once, used from memory, and stored by a later call', async () => {
  const healthy = memoryTokenStore()
  let full = false
  const store = {
    ...healthy,
    write: (tokens: PairedTokens) => (full ? Promise.reject(new Error('ENOSPC')) : healthy.write(tokens)),
  }
  const { source, network } = aSource(byPath(), { store })
  await source.get()

  full = true
  await expect(source.refresh(access(1))).rejects.toThrow('ENOSPC')
  expect(await source.get()).toBe(access(2))
  expect(await source.refresh(access(1))).toBe(access(2))
  expect(await healthy.read()).toMatchObject({ refreshToken: 'refresh-1' })

  full = false
  await source.get()

  expect(await healthy.read()).toMatchObject({ refreshToken: 'refresh-2' })
  expect(refreshTokens(network.seen)).toEqual(['refresh-1'])
})

test('when the refresh token is no longer valid, the tokens are deleted and the sensor pairs again', async () => {
  const dead = Response.json({ error: 'invalid_grant', error_description: 'no longer valid' }, { status: 401 })
  const { source, store } = aSource(({ url }, at) => {
    if (url.includes('/oauth/')) return dead
    return paired(at === 0 ? 1 : 9)
  })
  await source.get()

  await expect(source.refresh(access(1))).rejects.toMatchObject({ code: 'pairing_lost' })
  expect(await store.read()).toBeUndefined()

  expect(await source.get()).toBe(access(9))
})

test.each([
  [401, {}],
  [400, { error: 'invalid_grant' }],
])('a refresh that is refused with %i %j deletes the tokens', async (status, body) => {
  const { source, store } = aSource(({ url }) => (url.includes('/oauth/') ? Response.json(body, { status }) : paired()))
  await source.get()

  await expect(source.refresh(access(1))).rejects.toMatchObject({ code: 'pairing_lost' })

  expect(await store.read()).toBeUndefined()
})

test('a 401 with the page of a proxy keeps the tokens', async () => {
  const page = () => new Response('<html>', { status: 401, headers: { 'content-type': 'text/html; charset=utf-8' } })
  const { source, store } = aSource(({ url }) => (url.includes('/oauth/') ? page() : paired()))
  await source.get()

  await expect(source.refresh(access(1))).rejects.toMatchObject({ code: 'foreign_answer' })

  expect(await store.read()).toMatchObject({ refreshToken: 'refresh-1' })
})

test('a refresh that is refused because of the client keeps the tokens', async () => {
  const refused = () => Response.json({ error: 'invalid_client' }, { status: 400 })
  const { source, store } = aSource(({ url }) => (url.includes('/oauth/') ? refused() : paired()))
  await source.get()

  await expect(source.refresh(access(1))).rejects.toMatchObject({ code: 'credentials_refused' })

  expect(await store.read()).toBeDefined()
})

test('in the last minute a token is used while the endpoint is away, and not when the refresh is refused', async () => {
  for (const [status, code] of [
    [503, undefined],
    [400, 'credentials_refused'],
  ] as const) {
    const answer = () => Response.json({ error: 'invalid_client' }, { status })
    const { source, clock } = aSource(({ url }) => (url.includes('/oauth/') ? answer() : paired()))
    await source.get()
    await clock.advance(3_599_000)

    if (code === undefined) expect(await source.get()).toBe(access(1))
    else await expect(source.get()).rejects.toMatchObject({ code })
  }
})

test('a token of an earlier process is replaced by the stored one, without a refresh', async () => {
  const earlier = aSource(byPath())
  await earlier.source.get()
  const { source, network } = aSource(byPath(), { store: earlier.store })

  expect(await source.refresh(access(0))).toBe(access(1))

  expect(network.seen).toEqual([])
})

test('the tokens that another process has refreshed are taken over, and refreshed with its refresh token', async () => {
  const answer = byPath()
  const { source, store, clock } = aSource(answer)
  await source.get()
  const other = aSource(answer, { store, clock })
  await other.source.get()

  expect(await other.source.refresh(access(1))).toBe(access(2))
  await clock.advance(60_000)
  expect(await source.refresh(access(1))).toBe(access(2))
  expect(await source.refresh(access(2))).toBe(access(3))
  await clock.advance(3_539_000)

  expect(await other.source.get()).toBe(access(3))
  expect(refreshTokens(other.network.seen)).toEqual(['refresh-1'])
})

test('the refresh takes place in the lock of the store', async () => {
  let isLocked = false
  const store = {
    ...memoryTokenStore(),
    async lock<T>(task: () => Promise<T>): Promise<T> {
      isLocked = true
      return task().finally(() => {
        isLocked = false
      })
    },
  }
  const answer = byPath()
  const lockedWhen: boolean[] = []
  const { source } = aSource(
    (seen, at) => {
      lockedWhen.push(isLocked)
      return answer(seen, at)
    },
    { store },
  )
  await source.get()
  await source.refresh(access(1))

  expect(lockedWhen).toEqual([false, true])
})

test('tokens that another process has paired meanwhile are used', async () => {
  const { source, clock, store } = aSource(() => problem(404))
  const token = source.get()
  await clock.advance(5_000)

  await aSource(() => paired(7), { store }).source.pair()
  await clock.advance(1_000)

  expect(await token).toBe(access(7))
})

test('when the identity was reset by another process, the sensor pairs again at the next refresh', async () => {
  const { source, store, network } = aSource(({ url }, at) => (url.includes('/oauth/') ? problem(500) : paired(at + 1)))
  await source.get()
  await store.clear()

  await expect(source.refresh(access(1))).rejects.toMatchObject({ code: 'pairing_lost' })

  expect(await source.get()).toBe(access(2))
  expect(refreshTokens(network.seen)).toEqual([])
})

test('a refused refresh does not delete tokens that were stored meanwhile', async () => {
  const store = memoryTokenStore()
  const newer = { accessToken: access(5), refreshToken: 'refresh-5', issuedAtMs: 0, expiresAtMs: 1e15, sensorId: 'urn' }
  const { source } = aSource(
    async ({ url }) => {
      if (!url.includes('/oauth/')) return paired()
      await store.write(newer)
      return Response.json({ error: 'invalid_grant' }, { status: 401 })
    },
    { store },
  )
  await source.get()

  expect(await source.refresh(access(1))).toBe(access(5))
  expect(await store.read()).toEqual(newer)
})

test('while the store cannot be read, the tokens in memory are refreshed', async () => {
  const healthy = memoryTokenStore()
  let broken = false
  const store = { ...healthy, read: () => (broken ? Promise.reject(new Error('EIO')) : healthy.read()) }
  const { source } = aSource(byPath(), { store })
  await source.get()
  broken = true

  expect(await source.refresh(access(1))).toBe(access(2))
})

test('an outage of the token endpoint keeps the tokens', async () => {
  const { source, store } = aSource(({ url }) => (url.includes('/oauth/') ? problem(503) : paired()))
  await source.get()

  await expect(source.refresh(access(1))).rejects.toMatchObject({ code: 'token_unavailable' })

  expect(await store.read()).toMatchObject({ refreshToken: 'refresh-1' })
})

test.each([
  ['no client', aJwt({ iss: 'https://auth.example' }), 'client_id'],
  ['no issuer', aJwt({ client_id: 'fleet' }), 'authOrigin'],
  ['an issuer over plain HTTP', aJwt({ client_id: 'fleet', iss: 'http://auth.example' }), 'authOrigin'],
  ['no claims', 'opaque', 'client_id'],
])('a token with %s cannot be refreshed, and the message does not contain the token', async (_, token, message) => {
  const { source } = aSource(() => paired(1, token))
  await source.get()

  const error = await source.refresh(token).catch((error: Error) => error)

  expect(error).toMatchObject({ code: 'credentials_refused', message: expect.stringContaining(message) })
  expect(String(error)).not.toContain(token)
})

test('an agent that loses its pairing and is paired again loses no position', async () => {
  let pressed = false
  let revoked = false
  const answer: Answer = ({ url, headers }) => {
    if (url.includes('/oauth/')) return Response.json({ error: 'invalid_grant' }, { status: 401 })
    if (url.includes('/consume-token')) return pressed ? paired(revoked ? 9 : 1) : problem(404)
    return revoked && headers.get('authorization') === `Bearer ${access(1)}` ? problem(401) : accepted()
  }
  const clock = createManualClock(pairedAtMs)
  const network = aNetwork(answer)
  const tokens = pairing({
    ingestOrigin: new URL('https://ingest.example'),
    localId: 'roof1',
    clock,
    fetch: network.fetch,
    onPending: () => undefined,
  })
  const { agent, alarms } = anAgent(undefined, { tokens, clock, fetch: network.fetch })

  await agent.report(aPosition('1'))
  await clock.advance(30_000)
  pressed = true
  await clock.advance(2_000)
  revoked = true
  pressed = false
  await agent.report(aPosition('2'))
  await clock.advance(90_000)
  expect(alarms).toMatchObject([{ code: 'pairing_lost' }])
  pressed = true
  await clock.advance(2_000)

  expect(agent.stats()).toMatchObject({ accepted: 2, spooled: 0 })
})

test('closing the agent ends the polls for a pairing', async () => {
  const clock = createManualClock(pairedAtMs)
  const network = aNetwork(() => problem(404))
  const tokens = pairing({
    ingestOrigin: new URL('https://ingest.example'),
    localId: 'roof1',
    clock,
    fetch: network.fetch,
    onPending: () => undefined,
  })
  const { agent } = anAgent(undefined, { tokens, clock, fetch: network.fetch })
  await agent.report(aPosition())
  await clock.advance(5_000)

  const closing = agent.close({ drainMs: 1_000 })
  await clock.advance(1_000)

  expect(await closing).toMatchObject({ spooled: 1 })
  expect(clock.sleepers()).toBe(0)
})

test.each([
  [{ pollMs: 100 }, '"pollMs" must be 200 or more'],
  [{ localId: '' }, '"localId"'],
  [{ timeoutMs: -1 }, '"timeoutMs"'],
  [{ deadlineMs: 0 }, '"deadlineMs"'],
  [{ ingestOrigin: new URL('http://ingest.example') }, '"ingestOrigin"'],
  [{ authOrigin: new URL('http://auth.example') }, '"authOrigin"'],
])('the wrong option %j throws at creation', (options, message) => {
  expect(() => aSource(undefined, options)).toThrow(message)
})

function aSource(answer: Answer = () => paired(), options: Partial<PairingOptions> = {}) {
  const clock = createManualClock(pairedAtMs)
  const network = aNetwork(answer)
  const store = options.store ?? memoryTokenStore()
  const source = pairing({
    ingestOrigin: new URL('https://ingest.example'),
    localId: 'roof1',
    clock,
    fetch: network.fetch,
    random: () => 0.5,
    onPending: () => undefined,
    ...options,
    store,
  })
  return { source, clock, network, store }
}

/** Pairs at once; each refresh returns the next tokens. */
function byPath(): Answer {
  let number = 1
  return ({ url, body }) => {
    if (!url.includes('/oauth/')) return paired()
    number = Number(/refresh_token=refresh-(\d+)/.exec(body)?.[1]) + 1
    return Response.json({
      access_token: access(number),
      token_type: 'bearer',
      expires_in: 3_600,
      refresh_token: `refresh-${number}`,
    })
  }
}

function paired(number = 1, accessToken = access(number)): Response {
  return Response.json({
    id: 'pr_1',
    sensorId: 'urn:aa:device:acme:roof1',
    clientUniqueId: 'roof1',
    accessToken,
    refreshToken: `refresh-${number}`,
    expiresAt: '2026-11-21T13:00:00+00:00',
  })
}

function refreshTokens(seen: Seen[]): (string | null)[] {
  return seen
    .filter(({ url }) => url.includes('/oauth/'))
    .map(({ body }) => new URLSearchParams(body).get('refresh_token'))
}

function aJwt(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'ES256' })}.${part(claims)}.c2ln`
}
