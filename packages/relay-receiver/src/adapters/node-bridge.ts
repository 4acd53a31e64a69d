/**
 * Connects node:http with the fetch-style core.
 * In: Node's request and response, or what a wrapper of serverless functions makes of its event. Out: a Request with a
 * streaming body; the Response written to Node's response.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ReceiverError } from '../errors.ts'
import { findBytes } from '../request/bytes.ts'

/**
 * A body parser may have run before: bytes that it kept in `rawBody` or `body`, or text that it kept in `body`, are
 * used. If it kept neither, reading the body rejects with ReceiverError `body_already_read`.
 */
export function toRequest(incoming: IncomingMessage): Request {
  const headers = new Headers()
  for (const [name, value] of headersOf(incoming)) appendIfValid(headers, name, value)
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
  // If the body failed, the line above has ended the connection.
  outgoing.once('close', () => reader.cancel().catch(() => {}))
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

/** As they were sent. Wrappers of serverless functions fill only `headers`. */
function headersOf({ rawHeaders, headers }: IncomingMessage): Iterable<readonly [string, unknown]> {
  if (!rawHeaders?.length) return Object.entries(headers ?? {})
  return rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1]] as const] : []))
}

/**
 * HTTP/2 has pseudo headers, and lenient parsers pass on what `Headers` refuses: what the receiver needs is never among
 * them.
 */
function appendIfValid(headers: Headers, name: string, value: unknown): void {
  for (const one of Array.isArray(value) ? value : [value ?? '']) {
    try {
      headers.append(name, String(one))
    } catch {
      // A header that nobody can send is not the reason to refuse the message.
    }
  }
}

/** `new Request()` refuses TRACE and what is not a method; GET gets the same answer, 405. */
function toMethod({ method }: IncomingMessage): string {
  return /^(HEAD|PUT|PATCH|DELETE|OPTIONS)$/.test(method ?? '') ? (method ?? '') : 'GET'
}

/**
 * express.raw() keeps the bytes in `body`, express.text() the text. The `verify` option of express.json() can keep the
 * bytes in `rawBody`, where some hosts keep them, too.
 */
function findKeptBody({ rawBody, body }: IncomingMessage & { rawBody?: unknown; body?: unknown }) {
  return findBytes(rawBody) ?? findBytes(body)
}

/** A decoder for ASCII drops bits. Those for other encodings lose nothing that UTF-8 has. */
function isRead({ readableDidRead, readableEnded, destroyed, readableEncoding, on }: IncomingMessage): boolean {
  return readableDidRead || readableEnded || destroyed || readableEncoding === 'ascii' || typeof on !== 'function'
}

function alreadyRead(): ReadableStream<Uint8Array> {
  const error = new ReceiverError(
    'body_already_read',
    'The body was read before the relay receiver saw it; mount the receiver before the body parser, such as express.json(), or let ' +
      'the parser keep the bytes: express.json({ verify: (req, res, bytes) => { req.rawBody = bytes } })',
  )
  return new ReadableStream({ start: (controller) => controller.error(error) })
}

/**
 * Unlike Readable.toWeb(), cancel() discards the rest of the body and keeps the connection open, so that the response
 * can be sent.
 */
function toStream(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let cancelled = false
  return new ReadableStream({
    start(controller) {
      incoming.on('data', (chunk: Uint8Array | string) => {
        if (cancelled) return
        // Text if other code has called setEncoding().
        controller.enqueue(typeof chunk === 'string' ? Buffer.from(chunk, incoming.readableEncoding ?? 'utf8') : chunk)
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
