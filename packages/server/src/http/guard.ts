/**
 * Refuses ambiguous requests, before any other step: a repeated Host, Authorization or Content-Type, a missing Host, an
 * absolute target. If a header is repeated, two later steps could read different values of it.
 */
import type { IncomingMessage } from 'node:http'
import type { NextFunction, Request, Response } from 'express'
import { ApiError } from '../errors.ts'

/** Headers that must not be repeated. */
const singleHeaders = new Set(['host', 'authorization', 'content-type'])

/** @throws ApiError `invalid_request` */
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
  // RFC 9112 §3.2
  if (headers.host === undefined && httpVersion !== '1.0') {
    throw new ApiError('invalid_request', 'The header "host" is missing', {
      errors: [{ pointer: '/headers/host', code: 'required', detail: 'is missing' }],
    })
  }
  if (!url.startsWith('/')) throw new ApiError('invalid_request', 'The request target must be a path')
}

/** The same check as Express middleware. */
export function guardRequest(request: Request, _response: Response, next: NextFunction): void {
  checkRequest(request)
  next()
}
