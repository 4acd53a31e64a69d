/** A name that is public when it is checked, and private when it is used. */
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

/** Both are this machine; the test declares the first one public. */
const open = '127.0.0.2'
const inner = '127.0.0.1'

/**
 * A relay at the open address and a canary at the same port of the inner one. The name server says the open address
 * until it `turns`, with a TTL of 0; `says` overrules that for each question in turn.
 */
async function aTurningName({
  answer = (response: ServerResponse) => void response.end(),
  says = [] as string[],
  connectionAgeMs = 30_000,
} = {}) {
  const relay = await aRelay(certificate, (_request, response) => answer(response), { host: open })
  const canary = await aRelay(certificate, undefined, { host: inner, port: relay.port })
  let address = open
  const names = await aNameServer((family) => ({
    addresses: family === 4 ? [says.shift() ?? address] : [],
    ttlSeconds: 0,
  }))
  const connection = aConnection({
    extraCa: certificate.ca,
    policy: { allowPrivate: false },
    isAllowed: (one) => one === open,
    resolve: createResolve({ servers: [names.server] }),
    connectionAgeMs,
  })
  const connections = watchConnections()
  return {
    relay,
    names,
    post: () => connection.post(relay.url, { body: '', headers: {} }),
    turn: () => void (address = inner),
    expectNothingInside() {
      expect(canary.connections()).toBe(0)
      expect(new Set(connections)).toEqual(new Set([open]))
    },
  }
}

const refused = { code: 'address_refused' }

test('a name that was public when the relay was set is not connected to when it is private at the delivery', async () => {
  const closing = (response: ServerResponse) => void response.setHeader('Connection', 'close').end()
  const { relay, post, turn, expectNothingInside } = await aTurningName({ answer: closing })
  expect((await post()).status).toBe(200)
  turn()

  for (const _ of [1, 2, 3]) await expect(post()).rejects.toMatchObject(refused)
  expect(relay.connections()).toBe(1)
  expectNothingInside()
})

test('a name that changes between check and connection is resolved once, and the checked address is used', async () => {
  const { relay, names, post, expectNothingInside } = await aTurningName({ says: [open, inner, inner, inner] })
  expect((await post()).status).toBe(200)

  expect(names.asked).toHaveLength(2)
  expect(relay.requests).toHaveLength(1)
  expectNothingInside()
})

test('a name that becomes private is not connected to again after its connection broke', async () => {
  const { relay, post, turn, expectNothingInside } = await aTurningName({
    answer: (response) => void response.socket?.destroy(),
  })
  await expect(post()).rejects.toMatchObject({ code: 'unreachable' })
  turn()

  await expect(post()).rejects.toMatchObject(refused)
  expect(relay.connections()).toBe(1)
  expectNothingInside()
})

test('an open connection stays at the checked address when its name changes', async () => {
  const { relay, names, post, turn, expectNothingInside } = await aTurningName()
  await post()
  turn()
  for (const _ of [1, 2, 3]) expect((await post()).status).toBe(200)

  expect([relay.connections(), relay.requests.length, names.asked.length]).toEqual([1, 4, 2])
  expectNothingInside()
})

test('a busy connection is closed at its age limit, and a name that has become private is refused then', async () => {
  const { relay, post, turn, expectNothingInside } = await aTurningName({ connectionAgeMs: 50 })
  await post()
  turn()

  await vi.waitFor(() => expect(post()).rejects.toMatchObject(refused), { interval: 5, timeout: 5_000 })
  expect(relay.connections()).toBe(1)
  expectNothingInside()
})
