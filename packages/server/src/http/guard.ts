/**
 * Refuses ambiguous requests, before any other step: a repeated Host, Authorization or Content-Type, a Host that is
 * missing or no host, an absolute target, a version or a transfer coding that this server does not speak. If a header
 * is repeated, two later steps could read different values of it. Refuses headers that are too long for what parses
 * them, of which some takes quadratic time.
 */
import type { IncomingMessage } from 'node:http'
import type { NextFunction, Request, Response } from 'express'
import { ApiError } from '../errors.ts'

/** Headers that must not be repeated. */
const singleHeaders = new Set(['host', 'authorization', 'content-type'])

/** In characters, of all headers of a name together. Browsers send some 200. */
const maxLengths: [name: string, length: number][] = [
  ['accept', 1_024],
  ['accept-encoding', 1_024],
  ['forwarded', 1_024],
  ['last-event-id', 1_024],
  ['x-forwarded-for', 1_024],
]

/** RFC 9112 §3.2, RFC 3986 §3.2.2: a name or an address, and a port. */
const hostAndPort = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i

/** @throws ApiError `invalid_request` or `headers_too_large` */
export function checkRequest({ rawHeaders, headers, httpVersion, url = '' }: IncomingMessage): void {
  const seen = new Set<string>()
  // Names and values in turn.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ''
    if (!singleHeaders.has(name)) continue
    if (seen.has(name)) {
      throw new ApiError('invalid_request', `The header "${name}" is sent more than once`, {
        errors: [{ pointer: `/headers/${name}`, code: 'repeated', detail: 'must be sent once' }],
      })
    }
    seen.add(name)
  }
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw versionNotSupported()
  // Only what a sender names last is taken off by node:http; the rest would be read as the body.
  const coding = headers['transfer-encoding']?.trim().toLowerCase() ?? 'chunked'
  if (coding !== 'chunked') throw transferEncodingNotSupported()
  for (const [name, length] of maxLengths) {
    if ((headers[name]?.length ?? 0) <= length) continue
    throw new ApiError('headers_too_large', `The header "${name}" is longer than ${length} characters`)
  }
  // RFC 9112 §3.2
  if (headers.host === undefined && httpVersion !== '1.0') {
    throw new ApiError('invalid_request', 'The header "host" is missing', {
      errors: [{ pointer: '/headers/host', code: 'required', detail: 'is missing' }],
    })
  }
  if (headers.host !== undefined && !hostAndPort.test(headers.host)) {
    throw new ApiError('invalid_request', 'The header "host" is no host', {
      errors: [{ pointer: '/headers/host', code: 'format', detail: 'must be a host, and perhaps a port' }],
    })
  }
  if (!url.startsWith('/')) throw new ApiError('invalid_request', 'The request target must be a path')
}

/** RFC 9112 §6.1 */
export function transferEncodingNotSupported(): ApiError {
  return new ApiError('transfer_encoding_not_supported', 'A body can be sent with "Transfer-Encoding: chunked" only', {
    headers: { Connection: 'close' },
  })
}

/** RFC 9110 §15.6.6 */
export function versionNotSupported(): ApiError {
  return new ApiError('http_version_not_supported', 'This server speaks HTTP/1.1 and HTTP/1.0', {
    headers: { Connection: 'close' },
  })
}

/** The same check as Express middleware. */
export function guardRequest(request: Request, _response: Response, next: NextFunction): void {
  checkRequest(request)
  next()
}
