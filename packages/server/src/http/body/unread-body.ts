/**
 * Ends answers that are sent before the body of their request has arrived. If the connection were closed at once, a
 * client that is still sending could lose the answer; if it were not closed, node:http would read the body to its end.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

/** At most this much of an unread body is received and discarded; then the connection is closed. */
const maxDiscardedBytes = 1024 * 1024
/**
 * The connection is also closed when the client sends nothing for this time, and by the time-out of requests. A client
 * on a slow network pauses for seconds.
 */
const maxIdleMs = 5_000

/**
 * Whether the connection must close after an answer that is sent now, because the body is long or its length is
 * unknown, and it has not arrived. A shorter body is received and discarded by node:http, which then reads the next
 * request.
 */
export function isTooMuchUnread(request: IncomingMessage): boolean {
  const { complete, headers } = request
  if (complete) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > maxDiscardedBytes
}

/** Sends the rest of an answer, discards what the client still sends, and closes the connection. */
export function endBeforeBody(response: ServerResponse, text: string): void {
  const { req: request } = response
  let discardedBytes = 0
  function discard(chunk: Buffer): void {
    discardedBytes += chunk.length
    if (discardedBytes > maxDiscardedBytes) end()
  }
  function end(): void {
    request.off('data', discard).pause()
    response.end()
  }
  // Without a text there is nothing to write, and the client waits for the headers.
  response.flushHeaders()
  response.write(text)
  request.on('data', discard).once('close', end).setTimeout(maxIdleMs, end)
  request.resume()
}
