import { beforeAll, describe, expect, test } from 'vitest'
import type { DevelopmentCertificate } from '../../../src/adapters/development-certificate.ts'
import { createResolve } from '../../../src/relays/sender/resolve-host.ts'
import { aNameServer, type Said } from '../a-name-server.ts'
import { aCertificate, aConnection, aRelay } from '../a-relay.ts'
import { watchConnections } from '../watch-connections.ts'

let certificate: DevelopmentCertificate
beforeAll(async () => {
  certificate = await aCertificate()
})

/** A connection that uses a name server of this test, and a canary: a listener at the port that it would connect to. */
async function aGuard(say: (family: 4 | 6, times: number) => Said, { allowPrivate = false } = {}) {
  const canary = await aRelay(certificate)
  const names = await aNameServer(say)
  const connection = aConnection({
    extraCa: certificate.ca,
    policy: { allowPrivate },
    resolve: createResolve({ servers: [names.server] }),
    deadlineMs: 4_000,
  })
  return { canary, names, connection, connections: watchConnections() }
}

const saying =
  (...addresses: string[]) =>
  () => ({ addresses })

describe('no connection is made when a name leads', () => {
  test.each<[string, string[]]>([
    ['to this host', ['0.0.0.0']],
    ['to loopback', ['127.0.0.1']],
    ['to another loopback', ['127.255.0.9']],
    ['to 10/8', ['10.0.0.1']],
    ['to 172.16/12', ['172.31.255.255']],
    ['to 192.168/16', ['192.168.1.1']],
    ['to the metadata service', ['169.254.169.254']],
    ['to carrier-grade NAT', ['100.64.0.1']],
    ['to protocol assignments', ['192.0.0.1']],
    ['to a documentation network', ['192.0.2.1']],
    ['to the other documentation networks', ['198.51.100.1', '203.0.113.1']],
    ['to the benchmark network', ['198.18.0.1']],
    ['to multicast', ['224.0.0.1']],
    ['to reserved space', ['240.0.0.1']],
    ['to the broadcast address', ['255.255.255.255']],
    ['to the unspecified IPv6 address', ['::']],
    ['to IPv6 loopback', ['::1']],
    ['to IPv4-mapped loopback', ['::ffff:7f00:1']],
    ['to the IPv4-mapped metadata service', ['::ffff:a9fe:a9fe']],
    ['to IPv4-compatible loopback', ['::7f00:1']],
    ['through NAT64', ['64:ff9b::7f00:1']],
    ['through local NAT64', ['64:ff9b:1::7f00:1']],
    ['through 6to4', ['2002:7f00:1::']],
    ['through Teredo', ['2001:0:7f00:1::']],
    ['to a link-local address', ['fe80::1']],
    ['to a site-local address', ['fec0::1']],
    ['to unique local addresses', ['fd00:ec2::254']],
    ['to IPv6 multicast', ['ff02::1']],
    ['to IPv6 documentation', ['2001:db8::1']],
    ['to newer IPv6 documentation', ['3fff::1']],
    ['to the discard-only prefix', ['100::1']],
    ['to a public address and to loopback', ['93.184.216.34', '127.0.0.1']],
    ['to loopback and to a public address', ['127.0.0.1', '93.184.216.34']],
    ['to a public address and to a link-local IPv6 address', ['93.184.216.34', 'fe80::1']],
    ['to no address', []],
  ])('%s', async (_where, addresses) => {
    const { canary, connection, connections } = await aGuard(saying(...addresses))
    await expect(connection.post(canary.url, { body: '', headers: {} })).rejects.toMatchObject({
      code: addresses.length === 0 ? 'unresolved' : 'address_refused',
    })
    expect([connections, canary.connections()]).toEqual([[], 0])
  })

  test('by an alias to a private address', async () => {
    const say = () => ({ alias: 'inside.example.net', addresses: ['10.0.0.1'] })
    const { canary, connection, connections } = await aGuard(say)
    await expect(connection.post(canary.url, { body: '', headers: {} })).rejects.toMatchObject({
      code: 'address_refused',
    })
    expect(connections).toEqual([])
  })

  test('to a thousand addresses of which the last is private', async () => {
    const many = Array.from({ length: 999 }, (_, n) => `93.184.${n >> 8}.${n & 255}`)
    const { canary, connection, connections } = await aGuard((family) =>
      family === 4 ? { addresses: [...many, '127.0.0.1'] } : { addresses: [] },
    )
    await expect(connection.post(canary.url, { body: '', headers: {} })).rejects.toMatchObject({ name: 'RelayFailure' })
    expect(connections).toEqual([])
  })

  test.each(['NXDOMAIN', 'SERVFAIL', 'REFUSED'] as const)(
    'to no address, because the name server says %s',
    async (code) => {
      const { canary, connection, connections } = await aGuard(() => ({ code }))
      await expect(connection.post(canary.url, { body: '', headers: {} })).rejects.toMatchObject({ code: 'unresolved' })
      expect(connections).toEqual([])
    },
  )

  test.each<[string, Said]>([
    ['answers with 60 kB of another record', { text: 60_000 }],
    ['says that its answer is truncated', 'truncated'],
  ])('to no address, because the name server %s', async (_what, said) => {
    const { canary, connection, connections } = await aGuard(() => said)
    const code = expect.stringMatching(/^unresolved|address_refused|timeout$/)
    await expect(connection.post(canary.url, { body: '', headers: {} })).rejects.toMatchObject({ code })
    expect([connections, canary.connections()]).toEqual([[], 0])
  })

  test('to no address, because the name server does not answer', async () => {
    const { canary, connection, connections } = await aGuard(() => 'silence')
    const code = expect.stringMatching(/^unresolved|timeout$/)
    await expect(connection.post(canary.url, { body: '', headers: {} })).rejects.toMatchObject({ code })
    expect(connections).toEqual([])
  })
})

test('a name is resolved once per connection, and the checked address is connected to', async () => {
  const { canary, names, connection, connections } = await aGuard(saying('127.0.0.1'), { allowPrivate: true })
  await connection.post(canary.url, { body: '', headers: {} })
  await connection.post(canary.url, { body: '', headers: {} })
  expect([names.asked.length, canary.connections(), connections]).toEqual([2, 1, ['127.0.0.1']])
})

test('a name is resolved again for the next connection', async () => {
  const turning = (family: 4 | 6, times: number): Said => {
    if (times === 0) return { code: 'SERVFAIL' }
    return { addresses: [times % 2 === 0 ? '127.0.0.1' : '::1'].filter((one) => one.includes(':') === (family === 6)) }
  }
  const { canary, names, connection, connections } = await aGuard(turning)
  await expect(connection.post(canary.url, { body: '', headers: {} })).rejects.toMatchObject({ code: 'unresolved' })
  const asked = names.asked.length
  for (const _ of [1, 2, 3]) {
    await expect(connection.post(canary.url, { body: '', headers: {} })).rejects.toMatchObject({
      code: 'address_refused',
    })
  }
  expect(names.asked.length - asked).toBeGreaterThanOrEqual(6)
  expect([connections, canary.connections()]).toEqual([[], 0])
})

test('a name that has addresses of one family only is connected to', async () => {
  const say = (family: 4 | 6): Said => (family === 4 ? { addresses: ['127.0.0.1'] } : { code: 'SERVFAIL' })
  const { canary, connection } = await aGuard(say, { allowPrivate: true })
  expect((await connection.post(canary.url, { body: '', headers: {} })).status).toBe(200)
})
