import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createNetwork } from '../../src/network/network.ts'
import { resolveHost } from '../../src/network/resolve-host.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { aNameServer } from '../support/name-server.ts'

/** A server at two addresses of this machine; it counts connections. */
async function twoHosts() {
  const first = await aHost('127.0.0.1', 0)
  const second = await aHost('127.0.0.2', first.port)
  return { first, second, url: (path = '') => `http://ingest.test:${first.port}/${path}` }
}

async function aHost(address: string, port: number) {
  const host = { requests: 0, connections: 0, open: 0, port, hosts: new Set<string | undefined>() }
  const server = createServer((request, response) => {
    host.requests += 1
    host.hosts.add(request.headers.host)
    response.writeHead(202).end()
  })
  server.on('connection', (socket) => {
    host.connections += 1
    host.open += 1
    socket.on('close', () => (host.open -= 1))
  })
  server.listen(port, address)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A listening server has an address with a port.
  host.port = (server.address() as AddressInfo).port
  return host
}

async function aNetworkWith(nameServer: { address: string }) {
  const clock = createManualClock()
  const network = createNetwork({ nameServers: [nameServer.address], clock })
  onTestFinished(() => network.close())
  const send = async (url: string) => {
    const response = await network.fetch(new Request(url, { method: 'POST', body: '{}' }))
    await response.text()
    return response.status
  }
  return { clock, send }
}

test('within the TTL one DNS answer and one connection serve all requests', async () => {
  const { first, url } = await twoHosts()
  const dns = await aNameServer(5, '127.0.0.1')
  const { clock, send } = await aNetworkWith(dns)

  for (let second = 0; second < 5; second += 1) {
    expect(await send(url())).toBe(202)
    await clock.advance(999)
  }

  expect(dns.asked).toEqual(['ingest.test'])
  expect(first).toMatchObject({ requests: 5, connections: 1 })
  expect([...first.hosts]).toEqual([`ingest.test:${first.port}`])
})

test('when the TTL of 5 s ends, DNS is asked again, and the requests go to the new address', async () => {
  const { first, second, url } = await twoHosts()
  const dns = await aNameServer(5, '127.0.0.1')
  const { clock, send } = await aNetworkWith(dns)
  await send(url())
  dns.answerWith('127.0.0.2')
  await clock.advance(4_999)
  await send(url())
  expect(second.requests).toBe(0)

  await clock.advance(1)
  await send(url())

  expect(dns.asked).toHaveLength(2)
  expect(first.requests).toBe(2)
  expect(second.requests).toBe(1)
  await expect.poll(() => first.open).toBe(0)
})

test('an unchanged answer still ends the connection: none is used after its TTL', async () => {
  const { first, url } = await twoHosts()
  const { clock, send } = await aNetworkWith(await aNameServer(5, '127.0.0.1'))

  for (let request = 0; request < 3; request += 1) {
    await send(url())
    await clock.advance(5_000)
  }

  expect(first).toMatchObject({ requests: 3, connections: 3 })
})

test('after a failed request DNS is asked again, although the TTL has not ended', async () => {
  const { second, url } = await twoHosts()
  const dns = await aNameServer(3_600, '127.0.0.9')
  const { send } = await aNetworkWith(dns)
  await expect(send(url())).rejects.toThrow()

  dns.answerWith('127.0.0.2')
  expect(await send(url())).toBe(202)

  expect(dns.asked).toHaveLength(2)
  expect(second.requests).toBe(1)
})

test('of several addresses the next one is tried when the first does not answer', async () => {
  const { second, url } = await twoHosts()
  const { send } = await aNetworkWith(await aNameServer(5, '127.0.0.9', '127.0.0.2'))

  expect(await send(url())).toBe(202)
  expect(second.requests).toBe(1)
})

test('a name that does not exist is an error, and is asked again by the next request', async () => {
  const { url } = await twoHosts()
  const dns = await aNameServer(5)
  const { send } = await aNetworkWith(dns)
  await expect(send(url())).rejects.toMatchObject({ code: 'ENOTFOUND' })

  dns.answerWith('127.0.0.1')

  expect(await send(url())).toBe(202)
})

test('requests that begin together share one DNS question', async () => {
  const { url } = await twoHosts()
  const dns = await aNameServer(5, '127.0.0.1')
  const { send } = await aNetworkWith(dns)

  await Promise.all([send(url('1')), send(url('2')), send(url('3'))])

  expect(dns.asked).toHaveLength(1)
})

test('an IP address and a name of the hosts file ask no name server', async () => {
  const { first } = await twoHosts()
  const dns = await aNameServer(5, '127.0.0.9')
  const { send } = await aNetworkWith(dns)

  expect(await send(`http://127.0.0.1:${first.port}/`)).toBe(202)
  expect(await send(`http://localhost:${first.port}/`)).toBe(202)

  expect(dns.asked).toEqual([])
})

test('the shortest TTL of the records counts, and a final dot does not', async () => {
  const dns = await aNameServer(7, '127.0.0.1', '127.0.0.2')

  const found = await resolveHost('Ingest.Test.', { nameServers: [dns.address] })

  expect(found).toEqual({
    addresses: [
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.2', family: 4 },
    ],
    ttlMs: 7_000,
  })
  expect(dns.asked).toEqual(['ingest.test'])
})
