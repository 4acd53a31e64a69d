/**
 * Answers requests that node:http cannot parse (its event `clientError`): bytes that are not HTTP, headers that are too
 * large, a body that does not arrive in time.
 * In: Node's error and its socket. Out: a problem, written to the socket because there is no response object. Then the
 * connection is closed.
 */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError } from '../../errors.ts'
import { toProblem } from './problem.ts'

export function answerClientErrors(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>()
  server.on('request', ({ socket }: IncomingMessage, response) => answers.set(socket, response))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answer = answers.get(socket)
    const isAnswered = !answer || answer.writableFinished
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy(error)
    else if (isAnswered || (!answer.req.complete && !answer.headersSent)) end(socket, toBytes(error))
    // The broken bytes follow an earlier request, whose answer must be sent first.
    else if (answer.req.complete) endAfterAnswer(answer, socket)
    else socket.destroy(error)
  })
}

function end(socket: Duplex, bytes = ''): void {
  socket.end(bytes, () => socket.destroy())
}

const ending = new WeakSet<Duplex>()

function endAfterAnswer(answer: ServerResponse, socket: Duplex): void {
  if (ending.has(socket)) return
  ending.add(socket)
  answer.once('close', () => end(socket))
}

function toBytes({ code }: NodeJS.ErrnoException): string {
  const { status, problem } = toProblem(toApiError(code))
  const body = JSON.stringify(problem)
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Cache-Control: no-store',
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}

function toApiError(code: string | undefined): ApiError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError(
        'request_timeout',
        'The request did not arrive in time: its headers have 5 s, the whole request 10 s',
      )
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('headers_too_large', 'The headers are larger than 16 KiB')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiError('body_too_large', 'The chunk extensions are too large')
    default:
      return new ApiError('invalid_request', 'The request is not valid HTTP/1.1 (RFC 9112)')
  }
}
