/**
 * The agent on real sockets: restarts, a new certificate, a network that swallows everything, connections that are half
 * open.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttpsServer, type Server } from 'node:https'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createNetwork } from '../../src/network/network.ts'
import { anAgent, aPosition, ids, positions } from '../support/an-agent.ts'
import type { ManualClock } from '../support/manual-clock.ts'

const read = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8')
const cas = [read('ca.pem'), read('ca-2.pem')]

/** An ingest over TLS that can be stopped and started again at the same port. */
async function anIngest() {
  const received: string[] = []
  let server: Server
  let port = 0
  async function start(name = 'localhost'): Promise<void> {
    const certificate = { key: read(`${name}-key.pem`), cert: read(`${name}.pem`) }
    server = createHttpsServer(certificate, async (request, response) => {
      let body = ''
      for await (const chunk of request.setEncoding('utf8')) body += chunk
      received.push(...(JSON.parse(body) as { positions: { id: string }[] }).positions.map(({ id }) => id))
      response.writeHead(202).end()
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    // A listening server has an address with a port.
    port = (server.address() as AddressInfo).port
  }
  async function stop(): Promise<void> {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  await start()
  onTestFinished(() => stop().catch(() => undefined))
  return { received, start, stop, port: () => port }
}

/** A TCP proxy that can swallow what is sent, and keep its connections open without an answer. */
async function aProxy(targetPort: () => number) {
  const sockets: Socket[] = []
  let swallows = false
  const server = createTcpServer((socket) => {
    const target = connect(targetPort(), '127.0.0.1')
    sockets.push(socket, target)
    for (const one of [socket, target]) one.on('error', () => undefined)
    socket.on('data', (bytes) => swallows || target.write(bytes))
    target.on('data', (bytes) => swallows || socket.write(bytes))
    socket.on('close', () => target.destroy())
    target.on('close', () => swallows || socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  // A listening server has an address with a port.
  return { port: (server.address() as AddressInfo).port, swallow: (on: boolean) => (swallows = on) }
}

function anAgentAt(port: number, ca = cas.join('')) {
  const network = createNetwork({ ca })
  onTestFinished(() => network.close())
  return anAgent(undefined, { ingestOrigin: new URL(`https://localhost:${port}`), fetch: network.fetch })
}

/** Advances the clock slowly enough that real sockets finish well before a deadline of the manual clock. */
async function advanceUntil(clock: ManualClock, isDone: () => boolean): Promise<void> {
  for (let step = 0; step < 2_000 && !isDone(); step += 1) {
    await clock.advance(50)
    await sleep(4)
  }
  expect(isDone()).toBe(true)
}

test('positions arrive once each although the server restarts', async () => {
  const ingest = await anIngest()
  const { agent, clock } = anAgentAt(ingest.port())
  await agent.report(positions(1, 100))
  await advanceUntil(clock, () => agent.stats().accepted === 100)

  await ingest.stop()
  await agent.report(positions(101, 200))
  await advanceUntil(clock, () => agent.stats().retries > 0)
  await ingest.start()
  await advanceUntil(clock, () => agent.stats().accepted === 200)

  expect(ingest.received).toEqual(ids(1, 200))
})

test('positions arrive although the server changes its certificate and the CA', async () => {
  const ingest = await anIngest()
  const { agent, clock } = anAgentAt(ingest.port())
  await agent.report(aPosition('1'))
  await advanceUntil(clock, () => agent.stats().accepted === 1)

  await ingest.stop()
  await ingest.start('localhost-2')
  await agent.report(aPosition('2'))
  await advanceUntil(clock, () => agent.stats().accepted === 2)

  expect(ingest.received).toEqual(['1', '2'])
})

test('a new certificate that is not trusted is one alarm; nothing is sent or lost until it is right again', async () => {
  const ingest = await anIngest()
  const { agent, clock, alarms } = anAgentAt(ingest.port(), cas[0])
  await ingest.stop()
  await ingest.start('localhost-2')
  await agent.report(aPosition('1'))
  await advanceUntil(clock, () => agent.stats().retries > 2)
  expect(alarms).toMatchObject([{ code: 'service_unreachable', message: expect.stringContaining('CA') }])
  expect(ingest.received).toEqual([])

  await ingest.stop()
  await ingest.start()
  await advanceUntil(clock, () => agent.stats().accepted === 1)

  expect(ingest.received).toEqual(['1'])
})

test('a black hole ends at the deadline, and the position arrives when the network is back', async () => {
  const ingest = await anIngest()
  const proxy = await aProxy(ingest.port)
  const { agent, clock, outcomes } = anAgentAt(proxy.port)
  proxy.swallow(true)
  await agent.report(aPosition('1'))
  await clock.advance(1_000)
  await clock.advance(10_000)
  await vi.waitUntil(() => outcomes.length > 0)
  expect(outcomes[0]).toMatchObject({ kind: 'retry', reason: expect.stringContaining('within 10000 ms') })

  proxy.swallow(false)
  await advanceUntil(clock, () => agent.stats().accepted === 1)

  expect(ingest.received).toEqual(['1'])
})

test('a half-open connection is given up at the deadline and replaced by a new one', async () => {
  const ingest = await anIngest()
  const proxy = await aProxy(ingest.port)
  const { agent, clock, outcomes } = anAgentAt(proxy.port)
  await agent.report(aPosition('1'))
  await advanceUntil(clock, () => agent.stats().accepted === 1)

  // The server goes away without a word: the agent's connection stays open and is never answered.
  proxy.swallow(true)
  await ingest.stop()
  await ingest.start()
  await agent.report(aPosition('2'))
  await clock.advance(11_000)
  await vi.waitUntil(() => outcomes.some(({ kind }) => kind === 'retry'))
  proxy.swallow(false)
  await advanceUntil(clock, () => agent.stats().accepted === 2)

  expect(ingest.received).toEqual(['1', '2'])
})
