/**
 * The requests of the raw client: private, sent to the origin that serves the operation, and able to be sent twice
 * unless the body is a stream.
 */

import { keepSignal } from '@posrep/kernel/keep-signal'
import type { Origins } from '../origins.ts'
import { privateInit } from '../request/private-request.ts'
import { toServer } from './places.ts'

const replayInit = Symbol('replayInit')

/** Returns a class for openapi-fetch's option `Request`. */
export function serviceRequest(origins: Origins): typeof Request {
  return class ServiceRequest extends Request {
    /** With which the request can be created again; missing if its body is a stream. */
    readonly [replayInit]: RequestInit | undefined

    /** openapi-fetch accepts only instances of its `Request` from middlewares, and these create ordinary requests. */
    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof Request
    }

    constructor(input: Request | string | URL, init: RequestInit = {}) {
      const own = { ...init, ...privateInit }
      super(input instanceof Request ? input : toPlace(String(input), origins), own)
      keepSignal(this)
      this[replayInit] = input instanceof Request || isStream(init.body) ? undefined : own
    }
  }
}

/** The request itself, or a private copy of a request that somebody else created. */
export function toServiceRequest(request: Request): Request {
  return request.redirect === privateInit.redirect ? request : new Request(keepSignal(request), privateInit)
}

/**
 * Creates a sent request again, with the same headers and body. Undefined if the body is a stream, which can be read
 * only once.
 */
export function copyOf(request: Request & { [replayInit]?: RequestInit | undefined }): Request | undefined {
  const init = request[replayInit]
  if (init) return new Request(request.url, { ...init, headers: request.headers })
  return request.body === null ? new Request(request) : undefined
}

function isStream(body: unknown): boolean {
  return body instanceof ReadableStream || (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)
}

function toPlace(address: string, origins: Origins): string {
  const { origin, pathname, search } = new URL(address)
  // A call with its own base URL is not moved.
  return origin === origins.ui ? `${origins[toServer(pathname)]}${pathname}${search}` : address
}
