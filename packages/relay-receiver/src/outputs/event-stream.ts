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
  /**
   * How many bytes of the last events are kept for clients that connect again with `Last-Event-ID`. At most
   * `maxBehindBytes`; 0 keeps none. Default 256 KiB, or `maxBehindBytes` if that is less.
   */
  maxKeptBytes?: number
  /** Default: the system clock. */
  clock?: Clock
}

export interface EventStream {
  /**
   * Call it in `onReport`, or pass it as `onReport`. The event is `position_report`, its ID the delivery's, its data `{
   * device, report }`.
   */
  publish(this: void, report: PositionReport, delivery: Pick<Delivery, 'id' | 'device'>): void
  /**
   * Answers a GET with the stream. A client that connects again gets the events after its `Last-Event-ID` first; if
   * that one is no longer kept, the stream begins with an event `gap`, whose data is `{ lastEventId }`. With Express
   * and node:http: `toNodeListener(stream.fetch)` of `@posrep/relay-receiver/node`.
   */
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

/**
 * @example
 * ```ts
 * import { relayReceiver } from '@posrep/relay-receiver'
 * import { eventStream } from '@posrep/relay-receiver/event-stream'
 *
 * export const stream = eventStream()
 * export const receiver = relayReceiver({
 *   from: 'https://localhost:8443',
 *   devices: ['urn:aa:device:demo:roof1'],
 *   onReport: stream.publish,
 * })
 * ```
 */
export function eventStream({
  maxClients = 100,
  maxBehindBytes = 1024 * 1024,
  heartbeatMs = 15_000,
  maxKeptBytes = Math.min(256 * 1024, maxBehindBytes),
  clock = systemClock,
}: EventStreamOptions = {}): EventStream {
  for (const [name, value] of Object.entries({ maxClients, maxBehindBytes, heartbeatMs })) {
    if (!(value >= 1)) throw new RangeError(`"${name}" must be at least 1, got ${value}`)
  }
  if (!(maxKeptBytes >= 0 && maxKeptBytes <= maxBehindBytes)) {
    throw new RangeError(`"maxKeptBytes" must be from 0 to ${maxBehindBytes}, got ${maxKeptBytes}`)
  }
  const clients = new Set<Client>()
  const kept = createKeptEvents(maxKeptBytes)
  let heartbeats: AbortController | undefined
  let isClosed = false

  return {
    publish(report, { id = '', device }) {
      // JSON has no line breaks, and an ID must not have any.
      const data = JSON.stringify({ device, report })
      const bytes = encode(`${/^[^\r\n\0]+$/.test(id) ? `id: ${id}\n` : ''}event: position_report\ndata: ${data}\n\n`)
      kept.add(id, bytes)
      send(bytes)
    },
    async fetch({ method, headers: given }) {
      if (method !== 'GET') return new Response(null, { status: 405, headers: { allow: 'GET' } })
      if (isClosed || clients.size >= maxClients) {
        return new Response(null, { status: 503, headers: { 'retry-after': '5' } })
      }
      return new Response(aStream(given.get('last-event-id') ?? ''), { headers })
    },
    clients: () => clients.size,
    close() {
      isClosed = true
      for (const client of clients) client.close()
      clients.clear()
      stopIfAlone()
    },
  }

  function aStream(lastEventId: string): ReadableStream<Uint8Array> {
    let own: Client
    const behind = new ByteLengthQueuingStrategy({ highWaterMark: maxBehindBytes })
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start(client) {
        own = client
        clients.add(client)
        // The first bytes make the client's connection open at once.
        client.enqueue(encode(': connected\n\n'))
        if (lastEventId !== '')
          for (const bytes of kept.after(lastEventId) ?? [toGap(lastEventId)]) client.enqueue(bytes)
        heartbeats ??= startHeartbeats()
      },
      cancel() {
        clients.delete(own)
        stopIfAlone()
      },
    }
    return new ReadableStream(source, behind)
  }

  function send(bytes: Uint8Array): void {
    for (const client of clients) {
      if ((client.desiredSize ?? 0) >= bytes.byteLength) client.enqueue(bytes)
      else drop(client)
    }
  }

  function drop(client: Client): void {
    clients.delete(client)
    client.error(new Error('The client is too far behind'))
    stopIfAlone()
  }

  /** One timer for all clients. */
  function startHeartbeats(): AbortController {
    const stopped = new AbortController()
    void beat(stopped.signal)
    return stopped
  }

  async function beat(signal: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(heartbeatMs, signal)
      if (signal.aborted) return
      send(encode(': \n\n'))
    }
  }

  function stopIfAlone(): void {
    if (clients.size > 0) return
    heartbeats?.abort()
    heartbeats = undefined
  }
}

interface KeptEvent {
  id: string
  bytes: Uint8Array
}

/** The last events, within a number of bytes. */
function createKeptEvents(maxBytes: number) {
  const events: KeptEvent[] = []
  let keptBytes = 0

  return {
    add(id: string, bytes: Uint8Array): void {
      events.push({ id, bytes })
      keptBytes += bytes.byteLength
      while (keptBytes > maxBytes) keptBytes -= events.shift()?.bytes.byteLength ?? 0
    },
    /** Undefined if the event with this ID is not kept. */
    after(id: string): Uint8Array[] | undefined {
      const index = events.findLastIndex((event) => event.id === id)
      return index < 0 ? undefined : events.slice(index + 1).map(({ bytes }) => bytes)
    },
  }
}

/** Has no ID, so that the client keeps the one that it has. */
function toGap(lastEventId: string): Uint8Array {
  return encode(`event: gap\ndata: ${JSON.stringify({ lastEventId })}\n\n`)
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
