/** The client SDK at the real server, whose time is moved, through a network with faults. */
import { createPosrep, memoryTokenStore, type Posrep, type TokenStore } from '@posrep/client-sdk'
import { startTestServer, type TestServer } from '@posrep/client-sdk/testing'
import { watchRecent } from '@posrep/client-sdk/watch'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { aFaultyNetwork, type FaultyNetwork } from '../parts/a-faulty-network.ts'

const tokenPath = '/oauth/v2/token'
const devicesPath = '/v1/devices'
/** Longer than an access token lives; its refresh token lives for 30 days. */
const twentyMinutesMs = 20 * 60_000

let server: TestServer
let network: FaultyNetwork
const onSignedOut = vi.fn()

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

beforeEach(async () => {
  network = await aFaultyNetwork(server.origin)
  onSignedOut.mockReset()
})

afterEach(() => network.stop())

test('fifty concurrent calls with an expired token cause one refresh, and all succeed', async () => {
  const posrep = await aSignedInUser()
  server.advance(twentyMinutesMs)

  const lists = await Promise.all(Array.from({ length: 50 }, () => posrep.listDevices()))

  for (const { data } of lists) expect(data).toHaveLength(1)
  expect(network.count(tokenPath)).toBe(1)
  // Each is asked twice; one whose connection was reset, once more.
  expect(network.count(devicesPath)).toBeGreaterThanOrEqual(100)
})

test('a session lives for weeks on refreshes, each used once', async () => {
  const posrep = await aSignedInUser()
  for (let day = 1; day <= 60; day += 1) {
    server.advance(24 * 3_600_000)
    expect((await posrep.listDevices()).data).toHaveLength(1)
  }
  expect(network.count(tokenPath)).toBe(60)
  expect(onSignedOut).not.toHaveBeenCalled()
})

test('a refresh whose answer is lost on the wire is recovered', async () => {
  const posrep = await aSignedInUser()
  server.advance(twentyMinutesMs)
  let losses = 1
  network.rule = (path) => (path === tokenPath && losses-- > 0 ? 'lost' : 'delivered')

  const lists = await Promise.all(Array.from({ length: 10 }, () => posrep.listDevices()))

  for (const { data } of lists) expect(data).toHaveLength(1)
  expect(network.count(tokenPath)).toBe(2)
})

test('a refresh whose answers are lost twice fails its calls, and the next call recovers', async () => {
  const posrep = await aSignedInUser()
  server.advance(twentyMinutesMs)
  let losses = 2
  network.rule = (path) => (path === tokenPath && losses-- > 0 ? 'lost' : 'delivered')

  await expect(posrep.listDevices()).rejects.toMatchObject({ name: 'SessionError', code: 'temporarily_unavailable' })
  expect((await posrep.listDevices()).data).toHaveLength(1)
  expect(onSignedOut).not.toHaveBeenCalled()
})

test('a dead refresh token ends the session once, for all calls', async () => {
  const posrep = await aSignedInUser()
  server.advance(31 * 24 * 3_600_000)

  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => posrep.listDevices()))

  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'SessionError', code: 'login_required' } })
  }
  expect(onSignedOut.mock.calls).toEqual([['login_required']])
  expect(network.count(tokenPath)).toBe(1)
  expect(await posrep.isSignedIn()).toBe(false)
})

test('a second 401 is an error, without a loop and without the end of the session', async () => {
  const posrep = await aSignedInUser()
  network.rule = (path) => (path === devicesPath ? 'anonymous' : 'delivered')

  await expect(posrep.listDevices()).rejects.toMatchObject({ name: 'ApiError', code: 'unauthorized', status: 401 })

  expect(network.count(devicesPath)).toBe(2)
  expect(network.count(tokenPath)).toBe(1)
  expect(await posrep.isSignedIn()).toBe(true)
})

test('while a refresh is answered 503 for a minute calls fail with that, and then they work', async () => {
  const posrep = await aSignedInUser()
  server.advance(twentyMinutesMs)
  network.rule = (path) => (path === tokenPath ? 503 : 'delivered')

  for (let seconds = 0; seconds <= 60; seconds += 10) {
    await expect(posrep.listDevices()).rejects.toMatchObject({ code: 'temporarily_unavailable', status: 503 })
    server.advance(10_000)
  }
  expect(onSignedOut).not.toHaveBeenCalled()

  network.rule = () => 'delivered'
  expect((await posrep.listDevices()).data).toHaveLength(1)
})

test('two processes without a common lock that refresh at once both get the same new tokens', async () => {
  const { read, write, clear } = memoryTokenStore()
  const shared: TokenStore = { read, write, clear }
  const first = await aSignedInUser(shared)
  const second = aUser(shared)
  server.advance(twentyMinutesMs)

  const lists = await Promise.all([first.listDevices(), second.listDevices()])
  server.advance(twentyMinutesMs)
  lists.push(...(await Promise.all([first.listDevices(), second.listDevices()])))

  for (const { data } of lists) expect(data).toHaveLength(1)
  expect(onSignedOut).not.toHaveBeenCalled()
})

test('a clock that is an hour ahead or behind logs nobody out', async () => {
  for (const byMs of [3_600_000, -3_600_000]) {
    let aheadMs = 0
    const clock = { ...server.clock, now: () => server.clock.now() + aheadMs }
    const posrep = await aSignedInUser(memoryTokenStore(), clock)
    aheadMs = byMs
    for (let hour = 0; hour < 3; hour += 1) {
      expect((await posrep.listDevices()).data).toHaveLength(1)
      server.advance(twentyMinutesMs)
    }
  }
  expect(onSignedOut).not.toHaveBeenCalled()
})

test('reports are received by watchRecent as they arrive', async () => {
  const posrep = await aSignedInUser()
  const [urn = ''] = server.deviceUrns
  const watch = watchRecent(posrep, urn, { intervalMs: 250, history: true })

  for (const id of ['a', 'b', 'c']) {
    await server.report({ positions: [{ id, sourceTimeStamp: now(), position: { lat: 60.3, lon: 24.9 } }] })
    expect((await watch.next()).value).toMatchObject({ positions: [{ id }] })
  }
  await watch.return()
})

function now(): string {
  return new Date(server.clock.now()).toISOString()
}

function aUser(tokenStore: TokenStore, clock?: typeof server.clock): Posrep {
  return createPosrep({ ...server.options, tokenStore, onSignedOut, fetch: network.fetch, ...(clock && { clock }) })
}

/** Its requests before the end of the sign-in are not counted. */
async function aSignedInUser(
  tokenStore = memoryTokenStore() as TokenStore,
  clock?: typeof server.clock,
): Promise<Posrep> {
  const posrep = aUser(tokenStore, clock)
  const { url, pending } = await posrep.startSignIn()
  // The code is exchanged directly.
  const direct = createPosrep({ ...server.options, ...(clock && { clock }) })
  await posrep.session.signIn(await direct.login.complete(pending, await server.signIn(url)))
  return posrep
}
