/** DNS rebinding: a name that has a public address when it is checked, and a private one when it is used. */
import type { ServerResponse } from 'node:http'
import { beforeAll, expect, test, vi } from 'vitest'
import type { DevelopmentCertificate } from '../../../src/adapters/development-certificate.ts'
import { createResolve } from '../../../src/relays/sender/resolve-host.ts'
import { aNameServer } from '../a-name-server.ts'
import { aCertificate, aConnection, aRelay } from '../a-relay.ts'
import { watchConnections } from '../watch-connections.ts'

let certificate: DevelopmentCertificate
beforeAll(async () => {
  certificate = await aCertificate()
})

/** Both are this machine; in these tests the first one counts as public. */
const publicAddress = '127.0.0.2'
const privateAddress = '127.0.0.1'

/**
 * A relay at the public address, and a canary at the same port of the private one, which must not be connected to. The
 * name server answers with the public address until `makePrivate` is called; its first answers are those in `says`.
 */
async function aChangingName({
  answer = (response: ServerResponse) => void response.end(),
  says = [] as string[],
  connectionAgeMs = 30_000,
} = {}) {
  const relay = await aRelay(certificate, (_request, response) => answer(response), { host: publicAddress })
  const canary = await aRelay(certificate, undefined, { host: privateAddress, port: relay.port })
  let address = publicAddress
  const names = await aNameServer((family) => ({
    addresses: family === 4 ? [says.shift() ?? address] : [],
    ttlSeconds: 0,
  }))
  const connection = aConnection({
    extraCa: certificate.ca,
    policy: { allowPrivate: false },
    isAllowed: (one) => one === publicAddress,
    resolve: createResolve({ servers: [names.server] }),
    connectionAgeMs,
  })
  const connections = watchConnections()
  return {
    relay,
    names,
    post: () => connection.post(relay.url, { body: '', headers: {} }),
    makePrivate: () => void (address = privateAddress),
    expectOnlyPublicConnections() {
      expect(canary.connections()).toBe(0)
      expect(new Set(connections)).toEqual(new Set([publicAddress]))
    },
  }
}

const refused = { code: 'address_refused' }

test('a name that was public when the relay was set is not connected to when it is private at the delivery', async () => {
  const closing = (response: ServerResponse) => void response.setHeader('Connection', 'close').end()
  const { relay, post, makePrivate, expectOnlyPublicConnections } = await aChangingName({ answer: closing })
  expect((await post()).status).toBe(200)
  makePrivate()

  for (const _ of [1, 2, 3]) await expect(post()).rejects.toMatchObject(refused)
  expect(relay.connections()).toBe(1)
  expectOnlyPublicConnections()
})

test('a name that changes between check and connection is resolved once, and the checked address is used', async () => {
  const { relay, names, post, expectOnlyPublicConnections } = await aChangingName({
    says: [publicAddress, privateAddress, privateAddress, privateAddress],
  })
  expect((await post()).status).toBe(200)

  expect(names.asked).toHaveLength(2)
  expect(relay.requests).toHaveLength(1)
  expectOnlyPublicConnections()
})

test('a name that becomes private is not connected to again after its connection broke', async () => {
  const { relay, post, makePrivate, expectOnlyPublicConnections } = await aChangingName({
    answer: (response) => void response.socket?.destroy(),
  })
  await expect(post()).rejects.toMatchObject({ code: 'connection_lost' })
  makePrivate()

  await expect(post()).rejects.toMatchObject(refused)
  expect(relay.connections()).toBe(1)
  expectOnlyPublicConnections()
})

test('an open connection stays at the checked address when its name changes', async () => {
  const { relay, names, post, makePrivate, expectOnlyPublicConnections } = await aChangingName()
  await post()
  makePrivate()
  for (const _ of [1, 2, 3]) expect((await post()).status).toBe(200)

  expect([relay.connections(), relay.requests.length, names.asked.length]).toEqual([1, 4, 2])
  expectOnlyPublicConnections()
})

test('a busy connection is closed at its age limit, and a name that has become private is refused then', async () => {
  const { relay, post, makePrivate, expectOnlyPublicConnections } = await aChangingName({ connectionAgeMs: 50 })
  await post()
  makePrivate()

  await vi.waitFor(() => expect(post()).rejects.toMatchObject(refused), { interval: 5 })
  expect(relay.connections()).toBe(1)
  expectOnlyPublicConnections()
})

test('a name with many addresses is tried at a few of them', async () => {
  const { port } = await aRelay(certificate)
  // Nobody listens at these.
  const addresses = Array.from({ length: 40 }, (_, n) => ({ address: `127.7.0.${n + 1}`, family: 4 }))
  const connection = aConnection({
    extraCa: certificate.ca,
    policy: { allowPrivate: false },
    isAllowed: () => true,
    resolve: async () => addresses,
  })
  const connections = watchConnections()

  await expect(
    connection.post(new URL(`https://relay.test:${port}/`), { body: '', headers: {} }),
  ).rejects.toMatchObject({ code: 'connection_refused' })

  expect(new Set(connections).size).toBeGreaterThan(1)
  expect(new Set(connections).size).toBeLessThanOrEqual(8)
})
