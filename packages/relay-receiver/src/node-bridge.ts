/**
 * Between node:http and the fetch-style core.
 * In: Node's request and response. Out: a Request whose body is read as it comes, and the answer written.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ReceiverError } from './errors.ts'

/** @throws ReceiverError `body_already_read` when a body parser came first and kept no bytes. */
export function toRequest(incoming: IncomingMessage): Request {
  const headers = new Headers()
  for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
    const name = incoming.rawHeaders[at] ?? ''
    if (!name.startsWith(':')) headers.append(name, incoming.rawHeaders[at + 1] ?? '')
  }
  // The path is the owner's matter, and the host is the sender's claim: the core looks at neither.
  return new Request(
    'https://relay.invalid/',
    incoming.method === 'POST' ? withBody() : { headers, method: toMethod(incoming) },
  )

  function withBody(): RequestInit & { duplex: 'half' } {
    return { method: 'POST', headers, body: findKeptBytes(incoming) ?? toStream(incoming), duplex: 'half' }
  }
}

export async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  // Somebody else, a time-out for example, may have answered meanwhile.
  if (outgoing.headersSent) return
  outgoing.statusCode = response.status
  for (const [name, value] of response.headers) outgoing.setHeader(name, value)
  outgoing.end(new Uint8Array(await response.arrayBuffer()))
}

/** Request refuses TRACE; any other method that is not POST stands for it. */
function toMethod({ method = 'GET' }: IncomingMessage): string {
  return method === 'TRACE' ? 'GET' : method
}

/** express.raw() leaves bytes in `body`; others keep them in `rawBody`, as express.json()'s `verify` can. */
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

/** Readable.toWeb would destroy the connection on cancel, and the answer with it; here the rest flows by unread. */
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
