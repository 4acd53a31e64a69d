/**
 * Answers requests that node:http cannot parse (its event `clientError`): bytes that are not HTTP, headers that are too
 * large, a body that does not arrive in time.
 * In: Node's error and its socket. Out: a problem, written to the socket because there is no response object. Then the
 * connection is closed. After any other error, such as a TLS handshake that takes too long, it is closed without an
 * answer: what would be written could still arrive, as the answer to a request that nobody has read.
 */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError } from '../../errors.ts'
import { transferEncodingNotSupported, versionNotSupported } from '../guard.ts'
import { toProblem } from './problem.ts'

/** Node adds the parser's sentence. */
type ParserError = NodeJS.ErrnoException & { reason?: string }

export function answerClientErrors(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>()
  server.on('request', ({ socket }: IncomingMessage, response) => answers.set(socket, response))
  server.on('clientError', (error: ParserError, socket) => {
    const answer = answers.get(socket)
    const isAnswered = !answer || answer.writableFinished
    if (!socket.writable || !isOfRequest(error)) socket.destroy(error)
    else if (isAnswered || (!answer.req.complete && !answer.headersSent)) end(socket, toBytes(error))
    // The broken bytes follow an earlier request, whose answer must be sent first.
    else if (answer.req.complete) endAfterAnswer(answer, socket)
    // What is written of the answer arrives before the connection closes.
    else end(socket)
  })
}

function isOfRequest({ code = '' }: ParserError): boolean {
  return code.startsWith('HPE_') || code === 'ERR_HTTP_REQUEST_TIMEOUT'
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

function toBytes(error: ParserError): string {
  const { status, problem } = toProblem(toApiError(error))
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

function toApiError({ code, reason = '' }: ParserError): ApiError {
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
    case 'HPE_INVALID_TRANSFER_ENCODING':
      // The same code says that there is a length as well.
      return reason.includes('Content-Length') ? invalid() : transferEncodingNotSupported()
    case 'HPE_INVALID_VERSION':
      // The same code says that the line does not end after the version.
      return reason.includes('CRLF') ? invalid() : versionNotSupported()
    case 'HPE_PAUSED_H2_UPGRADE':
      return versionNotSupported()
    default:
      return invalid()
  }
}

function invalid(): ApiError {
  return new ApiError('invalid_request', 'The request is not valid HTTP/1.1 (RFC 9112)')
}
