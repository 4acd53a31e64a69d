/**
 * Answers `Expect: 100-continue` (RFC 9110 §10.1.1) when the body is about to be read. node:http would do so before any
 * check; here a request that is refused by its headers gets its refusal, so that the client does not send the body.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Key: a request whose client waits for `100 Continue`. Value: its response. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>()

/**
 * Serves requests with `Expect` like all others, within the same limits. Expectations that nobody knows are ignored.
 */
export function delayContinue(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.set(request, response)
    server.emit('request', request, response)
  })
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response)
  })
}

/** Lets the client send the body, if it waits. */
export function sendContinue(request: IncomingMessage): void {
  if (request.headers.expect === undefined) return
  waiting.get(request)?.writeContinue()
}
