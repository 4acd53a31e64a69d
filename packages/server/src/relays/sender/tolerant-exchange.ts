/**
 * Sends one POST with Node's HTTP client, over a connection of its own, to a relay that sends `100 Continue` unasked:
 * undici closes the connection there. RFC 9110 §15.2 wants such answers skipped. Node's client takes half as much time
 * again, so it is not the one for all.
 * In: a function that connects, the URL and the POST. Out: as exchange().
 */

import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { createInformationalCount, type Post, type RelayAnswer, toAnswer } from './exchange.ts'

/** Whether undici closed the connection because of a `100 Continue` that nobody asked for. */
export function isUnaskedContinue(error: unknown): boolean {
  return error instanceof Error && error.message === 'bad response'
}

export async function tolerantExchange(
  connect: (url: URL) => Promise<Socket>,
  url: URL,
  { headers, body, needsBody }: Post,
  signal: AbortSignal,
): Promise<RelayAnswer> {
  const socket = await connect(url)
  try {
    const request = http.request({
      createConnection: () => socket,
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body), connection: 'close' },
      signal,
    })
    const flood = Promise.withResolvers<never>()
    request.on('information', createInformationalCount(flood.reject))
    request.end(body)
    const [response]: IncomingMessage[] = await Promise.race([flood.promise, once(request, 'response')])
    if (!response) throw new Error('"response" has no argument')
    return await toAnswer(response.statusCode ?? 0, response.headers['retry-after'], response, needsBody)
  } finally {
    socket.destroy()
  }
}
