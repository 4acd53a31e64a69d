/** The headers of every answer of the API: nothing of it is a page. Pages set their own over these. */
import type { RequestHandler } from 'express'
import helmet from 'helmet'
import type { Origins } from './document.ts'

const yearSeconds = 365 * 24 * 3_600

export function securityHeaders(origins: Origins): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    // A popup that an app opened for the login must stay in its reach.
    crossOriginOpenerPolicy: false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    // On localhost it would force HTTPS on every other development server; of subdomains we know nothing.
    strictTransportSecurity: Object.values(origins).some(isLocal)
      ? false
      : { maxAge: yearSeconds, includeSubDomains: false },
  })
}

function isLocal(origin: string): boolean {
  const { hostname, protocol } = new URL(origin)
  return protocol === 'http:' || hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]'
}
