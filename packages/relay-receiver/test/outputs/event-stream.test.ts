import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test, vi } from 'vitest'
import { toNodeListener } from '../../src/adapters/node.ts'
import { type EventStream, eventStream } from '../../src/outputs/event-stream.ts'
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
  const closed = once(slow, 'close')
  const reader = await aReader(origin)
  await vi.waitFor(() => expect(stream.clients()).toBe(2))

  // The slow client is behind when the buffers of its connection are full.
  const large = aReport({ sensor: { id: 'x'.repeat(50_000) } })
  for (let published = 1; stream.clients() === 2; published++) {
    stream.publish(large, delivery)
    await reader.until(published)
  }
  slow.resume()
  await closed

  expect(stream.clients()).toBe(1)
  stream.close()
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

test('heartbeats are one timer for all clients, which ends with the last of them', async () => {
  const clock = fakeClock()
  const sleeps = vi.spyOn(clock, 'sleep')
  const stream = eventStream({ clock, heartbeatMs: 1_000 })
  for (let n = 0; n < 500; n++) await (await stream.fetch(get())).body?.cancel()
  expect(clock.sleeping()).toBe(0)

  const reader = (await stream.fetch(get())).body?.pipeThrough(new TextDecoderStream()).getReader()
  await reader?.read()
  const before = sleeps.mock.calls.length
  let comments = ''
  for (let n = 0; n < 5; n++) {
    await clock.advance(1_000)
    comments += (await reader?.read())?.value
  }

  expect(comments).toBe(': \n\n'.repeat(5))
  expect(sleeps.mock.calls.length - before).toBe(5)
  stream.close()
  expect(clock.sleeping()).toBe(0)
})

test('a client that connects again gets the events after its last one', async () => {
  const stream = eventStream()
  for (const hash of ['1', '2', '3']) stream.publish(aReport(), { ...delivery, id: anId('roof1', hash) })

  const again = await textOf(stream, anId('roof1', '1'))

  expect(idsOf(again)).toEqual([anId('roof1', '2'), anId('roof1', '3')])
  expect(again).not.toContain('event: gap')
  expect(idsOf(await textOf(stream))).toEqual([])
})

test('when the last event of a client is not kept, the stream says so', async () => {
  const bytesOfEvent = JSON.stringify({ device: delivery.device, report: aReport() }).length + 100
  const stream = eventStream({ maxKeptBytes: 2 * bytesOfEvent })
  for (const hash of ['1', '2', '3']) stream.publish(aReport(), { ...delivery, id: anId('roof1', hash) })

  expect(idsOf(await textOf(stream, anId('roof1', '2')))).toEqual([anId('roof1', '3')])
  const last = anId('roof1', '1')
  expect(await textOf(stream, last)).toBe(
    `: connected\n\nevent: gap\ndata: ${JSON.stringify({ lastEventId: last })}\n\n`,
  )
  expect(await textOf(eventStream({ maxKeptBytes: 0 }), last)).toContain('event: gap')
  expect(() => eventStream({ maxKeptBytes: 2, maxBehindBytes: 1 })).toThrow('"maxKeptBytes" must be from 0 to 1, got 2')
})

/** The stream until now, of a client with this `Last-Event-ID`. */
async function textOf(stream: EventStream, lastEventId?: string): Promise<string> {
  const headers = new Headers(lastEventId === undefined ? [] : [['last-event-id', lastEventId]])
  const reader = (await stream.fetch(new Request(get(), { headers }))).body?.getReader()
  stream.publish(aReport(), { id: 'end', device: undefined })
  const decoder = new TextDecoder()
  let text = ''
  while (!text.includes('id: end\n')) text += decoder.decode((await reader?.read())?.value)
  await reader?.cancel()
  return text.slice(0, text.indexOf('id: end\n'))
}

function idsOf(text: string): string[] {
  return [...text.matchAll(/^id: (.+)$/gm)].map(([, id = '']) => id)
}

/** A client that reads all events. */
async function aReader(origin: string) {
  const reader = (await fetch(origin)).body?.pipeThrough(new TextDecoderStream()).getReader()
  let events = 0
  let begun = ''
  return {
    /** Resolves when this number of events has been read. */
    async until(count: number): Promise<void> {
      while (events < count) {
        const { done, value = '' } = (await reader?.read()) ?? { done: true }
        if (done) throw new Error(`The stream ended after ${events} events`)
        const blocks = (begun + value).split('\n\n')
        begun = blocks.pop() ?? ''
        events += blocks.filter((block) => block.includes('event: ')).length
      }
    },
  }
}
