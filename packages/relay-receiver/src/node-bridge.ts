/**
 * Connects node:http with the fetch-style core.
 * In: Node's request and response. Out: a Request with a streaming body; the Response written to Node's response.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ReceiverError } from './errors.ts'

/** @throws ReceiverError `body_already_read` when a body parser has already consumed the body. */
export function toRequest(incoming: IncomingMessage): Request {
  const headers = new Headers()
  for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
    const name = incoming.rawHeaders[index] ?? ''
    if (!name.startsWith(':')) headers.append(name, incoming.rawHeaders[index + 1] ?? '')
  }
  // The core uses neither the path nor the host, so the URL is fixed.
  return new Request(
    'https://relay.invalid/',
    incoming.method === 'POST' ? withBody() : { headers, method: toMethod(incoming) },
  )

  function withBody(): RequestInit & { duplex: 'half' } {
    return { method: 'POST', headers, body: findKeptBytes(incoming) ?? toStream(incoming), duplex: 'half' }
  }
}

export async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  // Another part of the application, such as a time-out, may have answered already.
  if (outgoing.headersSent) return
  outgoing.statusCode = response.status
  for (const [name, value] of response.headers) outgoing.setHeader(name, value)
  outgoing.end(new Uint8Array(await response.arrayBuffer()))
}

/** `new Request()` refuses TRACE; GET gets the same answer, 405. */
function toMethod({ method = 'GET' }: IncomingMessage): string {
  return method === 'TRACE' ? 'GET' : method
}

/** express.raw() stores the bytes in `body`; the `verify` option of express.json() can store them in `rawBody`. */
function findKeptBytes(
  incoming: IncomingMessage & { rawBody?: unknown; body?: unknown },
): Uint8Array<ArrayBuffer> | undefined {
  for (const kept of [incoming.rawBody, incoming.body]) {
    if (kept instanceof Uint8Array) return new Uint8Array(kept)
  }
  if (incoming.readableDidRead) {
    throw new ReceiverError(
      'body_already_read',
      'The body was read before the relay receiver saw it; mount the receiver before express.json(), or keep the bytes: ' +
        'express.json({ verify: (req, res, bytes) => { req.rawBody = bytes } })',
    )
  }
  return undefined
}

/** Unlike Readable.toWeb(), cancel() discards the rest of the body and keeps the connection open, so that the response can be sent. */
function toStream(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let cancelled = false
  return new ReadableStream({
    start(controller) {
      incoming.on('data', (chunk: Uint8Array) => {
        if (cancelled) return
        controller.enqueue(chunk)
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause()
      })
      incoming.once('end', () => cancelled || controller.close())
      incoming.on('error', (error) => cancelled || controller.error(error))
    },
    pull() {
      incoming.resume()
    },
    cancel() {
      cancelled = true
      incoming.resume()
    },
  })
}
