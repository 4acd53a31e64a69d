import { once } from 'node:events'
import net from 'node:net'
import tls from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { limitConnectionsPerAddress } from '../../../src/composition/listening/connection-shares.ts'
import { createListener, listen, openFor } from '../../../src/composition/listening/listener.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { aServer, silentLogger } from '../../a-server.ts'

/** A plain HTTP server that accepts two connections of one address. */
async function aListener(settings: Partial<Parameters<typeof limitConnectionsPerAddress>[1]['settings']> = {}) {
  const warnings: unknown[] = []
  const clock = createManualClock()
  const { server } = createListener({ maxConnections: 8, clock: createManualClock() })
  limitConnectionsPerAddress(server, {
    settings: { maxConnections: 8, trustProxy: undefined, ...settings },
    clock,
    logger: { ...silentLogger, warn: (fields) => void warnings.push(fields) },
  })
  const port = await listen(server, { host: '127.0.0.1', port: 0 })
  openFor(server, (_request, response) => void response.end('served'))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    clock,
    warnings,
    connect: (localAddress = '127.0.0.1') => isServed(net.connect({ port, host: '127.0.0.1', localAddress })),
  }
}

/** Sends a request and returns whether it was answered. The connection stays open. */
async function isServed(socket: net.Socket) {
  onTestFinished(() => void socket.destroy())
  const closed = new Promise<false>((resolve) => socket.once('close', () => resolve(false)))
  socket.on('error', () => {})
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const answered = new Promise<true>((resolve) => socket.once('data', () => resolve(true)))
  return { served: await Promise.race([answered, closed]), socket, closed }
}

test('an address that has its share of connections gets no further one, and other addresses do', async () => {
  const { connect } = await aListener()
  const [first, second, third] = [await connect(), await connect(), await connect()]
  expect([first.served, second.served, third.served]).toEqual([true, true, false])
  expect((await connect('127.0.0.2')).served).toBe(true)

  first.socket.end()
  await first.closed
  expect((await connect()).served).toBe(true)
})

test.each<[string, string[] | number]>([
  ['in a trusted range', ['loopback']],
  ['that is trusted by its hop', 1],
])('a proxy %s has as many connections as it needs', async (_what, trustProxy) => {
  const { connect } = await aListener({ trustProxy })
  for (let connection = 0; connection < 5; connection++) expect((await connect()).served).toBe(true)
})

test('an address may take a quarter of the connections', async () => {
  const { connect } = await aListener({ maxConnections: 12 })
  const served: boolean[] = []
  for (let connection = 0; connection < 4; connection++) served.push((await connect()).served)
  expect(served).toEqual([true, true, true, false])
})

test('refused connections are logged once a minute', async () => {
  const { connect, warnings, clock } = await aListener()
  for (let connection = 0; connection < 5; connection++) await connect()
  expect(warnings).toEqual([{ network: 'address 127.0.0.1' }])

  await clock.advance(60_000)
  await connect()
  expect(warnings).toHaveLength(2)
})

test('a server has at most as many connections as its setting allows, from all addresses together', async () => {
  const server = await aServer({ flags: { 'max-connections': '2', 'trust-proxy': 'loopback' } })
  onTestFinished(() => server.stop())
  const port = Number(new URL(server.origin).port)
  const connect = () => isServed(tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false }))
  const served = [await connect(), await connect(), await connect()].map((connection) => connection.served)
  expect(served).toEqual([true, true, false])
})

test('the server counts connections over TLS from the first byte to the last', async () => {
  const server = await aServer({ flags: { 'max-connections': '8' } })
  onTestFinished(() => server.stop())
  const port = Number(new URL(server.origin).port)
  const connect = () => isServed(tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false }))
  const silent = net.connect(port, '127.0.0.1')
  onTestFinished(() => void silent.destroy())
  await once(silent, 'connect')
  const [first, second] = [await connect(), await connect()]
  expect([first.served, second.served]).toEqual([true, false])

  first.socket.end()
  await first.closed
  expect((await connect()).served).toBe(true)
})
