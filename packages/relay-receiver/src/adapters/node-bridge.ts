/**
 * Connects node:http with the fetch-style core.
 * In: Node's request and response. Out: a Request with a streaming body; the Response written to Node's response.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ReceiverError } from '../errors.ts'

/**
 * A body parser may have run before: bytes that it kept in `rawBody` or `body`, or text that it kept in `body`, are used. If it kept
 * neither, reading the body rejects with ReceiverError `body_already_read`.
 */
export function toRequest(incoming: IncomingMessage): Request {
  const headers = new Headers()
  for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
    const name = incoming.rawHeaders[index] ?? ''
    if (!name.startsWith(':')) headers.append(name, incoming.rawHeaders[index + 1] ?? '')
  }
  // The receiver uses neither the path nor the host, so the URL is fixed.
  return new Request(
    'https://relay.invalid/',
    incoming.method === 'POST' ? withBody() : { headers, method: toMethod(incoming) },
  )

  function withBody(): RequestInit & { duplex: 'half' } {
    const body = findKeptBody(incoming) ?? (isRead(incoming) ? alreadyRead() : toStream(incoming))
    return { method: 'POST', headers, body, duplex: 'half' }
  }
}

/** A client that disconnects ends the response's body; a body that fails ends the connection. It never rejects. */
export async function sendResponse({ status, headers, body }: Response, outgoing: ServerResponse): Promise<void> {
  // Another part of the application, such as a time-out, may have answered already.
  if (outgoing.headersSent) return
  outgoing.statusCode = status
  for (const [name, value] of headers) outgoing.setHeader(name, value)
  if (!body) return void outgoing.end()
  const reader = body.getReader()
  // Also while the client reads nothing, so that the loop below waits for it.
  reader.closed.catch(() => outgoing.destroy())
  outgoing.once('close', () => reader.cancel().catch(() => {})) // The body failed, and the line above has ended the connection.
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
    if (done) return void outgoing.end()
    if (!outgoing.write(value)) await drained(outgoing)
  }
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    outgoing.once('drain', resolve)
    outgoing.once('close', resolve)
  })
}

/** `new Request()` refuses TRACE; GET gets the same answer, 405. */
function toMethod({ method = 'GET' }: IncomingMessage): string {
  return method === 'TRACE' ? 'GET' : method
}

/**
 * express.raw() keeps the bytes in `body`, express.text() the text. The `verify` option of express.json() can keep the bytes in
 * `rawBody`, where some hosts keep them, too.
 */
function findKeptBody(
  incoming: IncomingMessage & { rawBody?: unknown; body?: unknown },
): Uint8Array<ArrayBuffer> | undefined {
  for (const kept of [incoming.rawBody, incoming.body]) {
    if (kept instanceof Uint8Array) return new Uint8Array(kept)
    if (typeof kept === 'string') return new TextEncoder().encode(kept)
  }
  return undefined
}

function isRead({ readableDidRead, readableEnded, destroyed }: IncomingMessage): boolean {
  return readableDidRead || readableEnded || destroyed
}

function alreadyRead(): ReadableStream<Uint8Array> {
  const error = new ReceiverError(
    'body_already_read',
    'The body was read before the relay receiver saw it; mount the receiver before the body parser, such as express.json(), or let ' +
      'the parser keep the bytes: express.json({ verify: (req, res, bytes) => { req.rawBody = bytes } })',
  )
  return new ReadableStream({ start: (controller) => controller.error(error) })
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
