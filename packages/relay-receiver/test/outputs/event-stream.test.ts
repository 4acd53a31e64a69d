import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { expect, test, vi } from 'vitest'
import { toNodeListener } from '../../src/adapters/node.ts'
import { eventStream } from '../../src/outputs/event-stream.ts'
import { aServer } from '../adapters/a-server.ts'
import { anId, aReport, fakeClock } from '../builders.ts'

const delivery = { id: anId('roof1', 'msg_1'), device: 'urn:aa:device:acme:roof1' }
const get = () => new Request('https://live.example.net/')

test('each client gets each report as an event, over HTTP', async () => {
  const stream = eventStream()
  const origin = await aServer(toNodeListener(stream.fetch))
  const clients = await Promise.all([fetch(origin), fetch(origin)])

  stream.publish(aReport(), delivery)
  stream.close()

  const data = JSON.stringify({ device: delivery.device, report: aReport() })
  for (const client of clients) {
    expect(client.headers.get('content-type')).toBe('text/event-stream')
    expect(await client.text()).toBe(`: connected\n\nid: ${delivery.id}\nevent: position_report\ndata: ${data}\n\n`)
  }
})

test('a client that disconnects is forgotten', async () => {
  const stream = eventStream()
  const origin = await aServer(toNodeListener(stream.fetch))
  const leaving = new AbortController()
  await fetch(origin, { signal: leaving.signal })
  expect(stream.clients()).toBe(1)

  leaving.abort()

  await vi.waitFor(() => expect(stream.clients()).toBe(0))
})

test('a client that reads nothing is disconnected, and the others get every event', async () => {
  const stream = eventStream({ maxBehindBytes: 100_000 })
  const origin = await aServer(toNodeListener(stream.fetch))
  const slow = connect(Number(new URL(origin).port), '127.0.0.1').pause()
  slow.write('GET / HTTP/1.1\r\nHost: live\r\n\r\n')
  const closed = new EventEmitter()
  slow.once('close', () => closed.emit('closed'))
  const reading = readAll(await fetch(origin))
  await vi.waitFor(() => expect(stream.clients()).toBe(2))

  const large = aReport({ sensor: { id: 'x'.repeat(50_000) } })
  let published = 0
  while (stream.clients() === 2) {
    stream.publish(large, delivery)
    published++
    await new Promise((turn) => setImmediate(turn))
  }
  slow.resume()
  await once(closed, 'closed')
  stream.close()

  expect((await reading).match(/event: /g)).toHaveLength(published)
})

test('beyond "maxClients", and after close(), a client is answered with 503', async () => {
  const stream = eventStream({ maxClients: 1 })
  expect((await stream.fetch(get())).status).toBe(200)
  const second = await stream.fetch(get())
  expect([second.status, second.headers.get('retry-after')]).toEqual([503, '5'])
  stream.close()

  expect((await stream.fetch(get())).status).toBe(503)
  expect((await stream.fetch(new Request(get(), { method: 'POST' }))).status).toBe(405)
})

test('an idle connection gets a comment every "heartbeatMs"', async () => {
  const clock = fakeClock()
  const stream = eventStream({ clock, heartbeatMs: 1_000 })
  const reader = (await stream.fetch(get())).body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toBe(': connected\n\n')

  await clock.advance(1_000)

  expect((await reader?.read())?.value).toBe(': \n\n')
})

async function readAll(response: Response): Promise<string> {
  return response.text()
}
