/**
 * The requests of the raw client: never redirected, without cookies, sent to the origin that serves the operation, and able to be
 * sent twice unless the body is a stream.
 */
import type { Origins } from '../origins.ts'
import { toServer } from './places.ts'

/** The init of each request whose body can be sent again. */
const replayable = new WeakMap<Request, RequestInit>()

/** A redirect must not be followed: it would carry the token to another origin. */
const fixed = { redirect: 'manual', credentials: 'omit' } as const satisfies RequestInit

/** Returns a class for openapi-fetch's option `Request`. */
export function serviceRequest(origins: Origins): typeof Request {
  return class ServiceRequest extends Request {
    /** openapi-fetch accepts only instances of its `Request` from middlewares, and these create ordinary requests. */
    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof Request
    }

    constructor(input: RequestInfo | URL, init: RequestInit = {}) {
      const own = { ...init, ...fixed }
      super(input instanceof Request ? input : toPlace(String(input), origins), own)
      if (!(input instanceof Request) && !isStream(init.body)) replayable.set(this, own)
    }
  }
}

/** The request itself, or a copy of a request that somebody else created. */
export function toServiceRequest(request: Request): Request {
  return request.redirect === fixed.redirect ? request : new Request(request, fixed)
}

/** Creates a sent request again, with the same headers and body. Undefined if the body is a stream, which can be read only once. */
export function copyOf(request: Request): Request | undefined {
  const init = replayable.get(request)
  if (init) return new Request(request.url, { ...init, headers: request.headers })
  return request.body === null ? new Request(request) : undefined
}

function isStream(body: unknown): boolean {
  return body instanceof ReadableStream || (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)
}

function toPlace(address: string, origins: Origins): string {
  if (origins.ui === origins.auth && origins.ui === origins.ingest) return address
  const { origin, pathname, search } = new URL(address)
  // A call with its own base URL is not moved.
  return origin === origins.ui ? `${origins[toServer(pathname)]}${pathname}${search}` : address
}
