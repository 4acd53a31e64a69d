import https from 'node:https'
import type { AddressInfo } from 'node:net'
import type { DeliveryList, Device } from '@posrep/spec'
import { expect, onTestFinished, test, vi } from 'vitest'
import { aPosition, aReport } from '../../a-report.ts'
import { aServer, roof1, roof2, type ServerUnderTest } from '../../a-server.ts'

const minuteMs = 60_000

interface Received {
  /** The id of the position in the message. */
  report: string
  messageId: string
  status: number
}

/** A relay that can stop and start again at the same address. It answers each report as `answering` says. */
async function aChangingRelay({ certificate }: ServerUnderTest) {
  const received: Received[] = []
  let answer: (index: number) => { status: number; afterMs?: number } = () => ({ status: 200 })
  const relay = https.createServer(certificate, (request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const { validationCode, positionReport } = JSON.parse(text)
      if (validationCode !== undefined) return response.end(validationCode)
      const { status, afterMs = 0 } = answer(received.length)
      const messageId = String(request.headers['webhook-id'])
      received.push({ report: positionReport.positions[0].id, messageId, status })
      setTimeout(() => response.writeHead(status).end(), afterMs)
    })
  })
  const listen = (port: number) => new Promise<void>((listening) => relay.listen(port, '127.0.0.1', listening))
  const close = () => {
    relay.close()
    relay.closeAllConnections()
  }
  await listen(0)
  onTestFinished(close)
  const { port } = relay.address() as AddressInfo
  return {
    url: `https://localhost:${port}/`,
    received,
    taken: () => received.flatMap(({ report, status }) => (status === 200 ? [report] : [])),
    stopListening: close,
    listenAgain: () => listen(port),
    answering: (next: typeof answer) => {
      answer = next
    },
  }
}

test('a relay that is down for a day, then fails every second time and is slow, gets every report in order and delays no other device', async () => {
  const server = await aServer({ flags: { 'allow-private-relays': true, 'relay-retention': '48h' } })
  onTestFinished(() => server.stop())
  const relay = await aChangingRelay(server)
  const other = await aChangingRelay(server)
  const activate = async (urn: string, url: string) => {
    const response = await server.post(`/v1/devices/${urn}/relay`, await server.userToken(), { url, state: 1 })
    expect(((await response.json()) as Device).relayDetails?.state).toBe('Active')
  }
  await activate(roof1, relay.url)
  await activate(roof2, other.url)

  let reports = 0
  const latencies: number[] = []
  /** One report of each device; that of the other one is awaited, so that its latency is known. */
  const report = async () => {
    const id = `r${reports++}`
    const body = aReport({ positions: [aPosition({ id })] })
    await server.post('/v1/position-reports', await server.deviceToken('fleet', 'roof1'), body)
    const atMs = server.clock.now()
    await server.post('/v1/position-reports', await server.deviceToken('fleet', 'roof2'), body)
    await vi.waitFor(() => expect(other.taken().at(-1)).toBe(id))
    latencies.push(server.clock.now() - atMs)
  }
  /** Advances the clock in steps that are not longer than the wait between attempts. */
  const pass = async (ms: number) => {
    for (let leftMs = ms; leftMs > 0; leftMs -= 5 * minuteMs) {
      server.clock.leap(5 * minuteMs - 500)
      await server.clock.advance(500)
      // Attempts in flight use the network in real time, so the clock must not advance during them.
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }

  await report()
  await vi.waitFor(() => expect(relay.taken()).toEqual(['r0']))
  relay.stopListening()
  for (let hour = 0; hour < 24; hour++) {
    await report()
    await pass(60 * minuteMs)
  }
  expect(relay.received).toHaveLength(1)

  await relay.listenAgain()
  // Every second answer is a failure, and some responses for accepted messages come too late.
  relay.answering((index) => (index % 2 === 0 ? { status: 200 } : { status: 503 }))
  await report()
  for (let step = 0; relay.taken().length < 12 && step < 200; step++) await pass(5 * minuteMs)
  relay.answering(() => ({ status: 200, afterMs: 20 }))
  await report()
  server.clock.leap(5 * minuteMs)
  const all = async () => {
    await server.clock.advance(500)
    expect(new Set(relay.taken()).size).toBe(reports)
  }
  await vi.waitFor(all, { interval: 50 })

  const taken = relay.taken()
  const first = taken.filter((id, index) => taken.indexOf(id) === index)
  expect(first).toEqual(Array.from({ length: reports }, (_, n) => `r${n}`))
  const idsOf = Map.groupBy(relay.received, ({ report }) => report)
  for (const attempts of idsOf.values()) expect(new Set(attempts.map(({ messageId }) => messageId)).size).toBe(1)
  expect(new Set(relay.received.map(({ messageId }) => messageId)).size).toBe(reports)
  expect(new Set(latencies)).toEqual(new Set([0]))

  const list = await server.get(`/v1/devices/${roof1}/deliveries`, await server.userToken())
  await vi.waitFor(async () => expect(((await list.clone().json()) as DeliveryList).buried).toBe(0))
})
