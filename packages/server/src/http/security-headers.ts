/** The headers of every answer of the API: nothing of it is a page. Pages set their own over these. */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { RequestHandler } from 'express'
import helmet from 'helmet'
import type { Origins } from './document.ts'

const yearSeconds = 365 * 24 * 3_600

/** They are the same for every answer, so that helmet is asked for them once. */
export function securityHeadersOf(origins: Origins): [name: string, value: string][] {
  const setHeaders = helmet({
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
  const headers: [string, string][] = []
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  response.setHeader = (name, value) => {
    headers.push([name, String(value)])
    return response
  }
  setHeaders(request, response, () => {})
  return headers
}

/** As middleware of Express. */
export function securityHeaders(origins: Origins): RequestHandler {
  const headers = securityHeadersOf(origins)
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value)
    next()
  }
}

function isLocal(origin: string): boolean {
  const { hostname, protocol } = new URL(origin)
  return protocol === 'http:' || hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]'
}
