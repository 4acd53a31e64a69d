/**
 * Sends reports to browsers and other clients as server-sent events.
 * In: reports of relay messages. Out: a response with a stream of events for each client.
 * Whoever can reach the address sees the reports: put your own sign-in before it.
 */
import type { PositionReport } from '@posrep/spec'
import { type Clock, systemClock } from '../ports.ts'
import type { Delivery } from '../request/delivery.ts'

export interface EventStreamOptions {
  /** Further clients are answered with 503. Default 100. */
  maxClients?: number
  /** A client that is this many bytes behind is disconnected; EventSource connects again. Default 1 MiB. */
  maxBehindBytes?: number
  /** Pause between comments that keep idle connections open, in ms. Default 15_000. */
  heartbeatMs?: number
  /** Default: the system clock. */
  clock?: Clock
}

export interface EventStream {
  /** Call it in `onReport`, or pass it as `onReport`. The event is `position_report`, its ID the delivery's, its data `{ device, report }`. */
  publish(this: void, report: PositionReport, delivery: Pick<Delivery, 'id' | 'device'>): void
  /** Answers a GET with the stream. With Express and node:http: `toNodeListener(stream.fetch)` of `@posrep/relay-receiver/node`. */
  fetch(this: void, request: Request): Promise<Response>
  /** Number of connected clients. */
  clients(): number
  /** Ends all streams; further clients are answered with 503. */
  close(): void
}

type Client = ReadableStreamDefaultController<Uint8Array>

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // Else nginx collects events until its buffer is full.
  'x-accel-buffering': 'no',
}

export function eventStream({
  maxClients = 100,
  maxBehindBytes = 1024 * 1024,
  heartbeatMs = 15_000,
  clock = systemClock,
}: EventStreamOptions = {}): EventStream {
  for (const [name, value] of Object.entries({ maxClients, maxBehindBytes, heartbeatMs })) {
    if (!(value >= 1)) throw new RangeError(`"${name}" must be at least 1, got ${value}`)
  }
  const clients = new Set<Client>()
  const closing = new AbortController()

  return {
    publish(report, { id = '', device }) {
      // JSON has no line breaks, and an ID must not have any.
      const data = JSON.stringify({ device, report })
      send(`${/^[^\r\n\0]+$/.test(id) ? `id: ${id}\n` : ''}event: position_report\ndata: ${data}\n\n`)
    },
    async fetch({ method }) {
      if (method !== 'GET') return new Response(null, { status: 405, headers: { allow: 'GET' } })
      if (closing.signal.aborted || clients.size >= maxClients) {
        return new Response(null, { status: 503, headers: { 'retry-after': '5' } })
      }
      return new Response(aStream(), { headers })
    },
    clients: () => clients.size,
    close() {
      closing.abort()
      for (const client of clients) client.close()
      clients.clear()
    },
  }

  function aStream(): ReadableStream<Uint8Array> {
    let own: Client
    const behind = new ByteLengthQueuingStrategy({ highWaterMark: maxBehindBytes })
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start(client) {
        own = client
        clients.add(client)
        // The first bytes make the client's connection open at once.
        client.enqueue(encode(': connected\n\n'))
        if (clients.size === 1) void beat()
      },
      cancel: () => void clients.delete(own),
    }
    return new ReadableStream(source, behind)
  }

  function send(text: string): void {
    const bytes = encode(text)
    for (const client of clients) {
      if ((client.desiredSize ?? 0) >= bytes.byteLength) client.enqueue(bytes)
      else drop(client)
    }
  }

  function drop(client: Client): void {
    clients.delete(client)
    client.error(new Error('The client is too far behind'))
  }

  /** Runs while there are clients. */
  async function beat(): Promise<void> {
    for (;;) {
      await clock.sleep(heartbeatMs, closing.signal)
      if (clients.size === 0) return
      send(': \n\n')
    }
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
