/** Headers of every answer of the API. Pages replace them with their own. */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { RequestHandler } from 'express'
import helmet from 'helmet'
import type { Origins } from '../operation/openapi-document.ts'

const yearSeconds = 365 * 24 * 3_600

/** The same for every answer, so helmet computes them once, at the start. */
export function securityHeadersOf(origins: Origins): [name: string, value: string][] {
  const setHeaders = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    // An app that opened the login in a popup keeps its reference to the popup.
    crossOriginOpenerPolicy: false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    // On localhost it would force HTTPS on all other development servers. Subdomains may not be ours.
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

/** The same headers as Express middleware. */
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
