/**
 * Connections to one host, kept open between requests.
 * In: how to connect, and how long an idle connection is kept. Out: a function that sends a request and resolves with
 * the complete response. Redirects are not followed. It uses Node's own HTTP client: a fetch library takes 20 MB of
 * memory more.
 */
import { once } from 'node:events'
import * as http from 'node:http'
import * as https from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'

export interface ConnectionPoolOptions {
  /** CA certificates to trust, PEM. Default: Node's. */
  ca?: string[]
  /** Resolves the host. Default: the system's. */
  lookup?: LookupFunction
  /** Makes the connections of HTTPS, through a proxy. */
  tunnel?: http.Agent
  /**
   * An idle connection is closed after this time, in ms, or before the time that the service names, or after 4 s if it
   * names none.
   */
  idleMs: number
}

export interface ConnectionPool {
  send(request: Request, body: Uint8Array): Promise<Response>
  /** Resolves when the requests in progress have ended and the connections are closed. */
  close(): Promise<void>
}

const unnamedIdleMs = 4_000
/** Larger than any snapshot of a receiver. */
const maxBodyBytes = 64 * 1_048_576

export function createConnectionPool({ idleMs, tunnel, ...connect }: ConnectionPoolOptions): ConnectionPool {
  const options = { keepAlive: true, timeout: idleMs, ...connect }
  const agents = {
    'https:': tunnel ?? new https.Agent({ ...options, minVersion: 'TLSv1.2' }),
    'http:': new http.Agent(options),
  }
  const inFlight = new Set<Promise<unknown>>()
  /** Sockets whose service told how long it keeps them: Node obeys that. */
  const named = new WeakSet<Socket>()
  for (const agent of Object.values(agents))
    agent.on('free', (socket: Socket) => {
      if (!named.has(socket)) socket.setTimeout(Math.min(unnamedIdleMs, idleMs))
    })

  return {
    async send(request, body) {
      const sent = send(request, body)
      inFlight.add(sent)
      try {
        return await sent
      } finally {
        inFlight.delete(sent)
      }
    },
    async close() {
      await Promise.allSettled(inFlight)
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }

  async function send({ url, method, headers, signal }: Request, body: Uint8Array): Promise<Response> {
    signal.throwIfAborted()
    const { protocol } = new URL(url)
    const isPlain = protocol === 'http:'
    const request = (isPlain ? http : https).request(url, {
      method,
      headers: Object.fromEntries(headers),
      agent: agents[isPlain ? 'http:' : 'https:'],
      // The agent of a tunnel takes these from the request.
      ...(!isPlain && { minVersion: 'TLSv1.2' as const, ...(connect.ca && { ca: connect.ca }) }),
      signal,
    })
    try {
      request.end(body)
      // The event of a response has this argument. An error of the request rejects.
      const [response] = (await once(request, 'response')) as [http.IncomingMessage]
      if (response.headers['keep-alive'] !== undefined) named.add(response.socket)
      return await toResponse(response)
    } catch (error) {
      request.destroy()
      // Node wraps the reason in an error of its own.
      throw signal.aborted ? signal.reason : error
    }
  }
}

async function toResponse(response: http.IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) throw new Error(`the response is larger than ${maxBodyBytes} bytes`)
    chunks.push(chunk)
  }
  const { statusCode: status = 500, rawHeaders } = response
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  // A response with one of these statuses may have no body.
  const isEmpty = status === 204 || status === 205 || status === 304
  return new Response(isEmpty ? null : decode(Buffer.concat(chunks), headers), { status, headers })
}

/** Nobody asked for a compressed response; some web servers compress files anyway. */
function decode(body: Buffer<ArrayBuffer>, headers: Headers): Buffer<ArrayBuffer> {
  const isGzip = body.length > 0 && headers.get('content-encoding') === 'gzip'
  return isGzip ? gunzipSync(body, { maxOutputLength: maxBodyBytes }) : body
}
