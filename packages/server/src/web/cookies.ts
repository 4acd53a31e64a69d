/**
 * The cookies of a browser: the session's id; the browser's own secret, to which requests and forms are bound; and,
 * after a sign-in, the proof that its user has signed in with this browser. All contain 256 bits. Browsers send them
 * only to this host over HTTPS, and hide them from scripts.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { randomSecret } from '../secrets.ts'

const sessionName = '__Host-posrep-session'
const browserName = '__Host-posrep-browser'
const knownName = '__Host-posrep-known'
const knownSeconds = 180 * 24 * 60 * 60
/** Only for this host and HTTPS, hidden from scripts, not sent with forms of other sites. */
export const cookieAttributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'

/** The sender of a request to a page. */
export interface Visitor {
  cookies: string | undefined
  /** The caller's, through trusted proxies only. */
  address: string
  userAgent: string | undefined
}

export function toVisitor({ headers, address }: { headers: IncomingHttpHeaders; address: string }): Visitor {
  return { cookies: headers.cookie, address, userAgent: headers['user-agent'] }
}

export interface BrowserSecret {
  secret: string
  /** Set this cookie; undefined if the browser has one. */
  cookie?: string
}

export function findBrowserSecret(cookies: string | undefined): string | undefined {
  return findCookie(cookies, browserName)
}

/** The browser's secret, or a new one that it keeps until it is closed. */
export function toBrowserSecret(cookies: string | undefined): BrowserSecret {
  const known = findBrowserSecret(cookies)
  if (known !== undefined) return { secret: known }
  const secret = randomSecret()
  return { secret, cookie: `${browserName}=${secret}; ${cookieAttributes}` }
}

export function findSessionSecret(cookies: string | undefined): string | undefined {
  return findCookie(cookies, sessionName)
}

export function toSessionCookie(secret: string, ttlMs: number): string {
  return `${sessionName}=${secret}; Max-Age=${ttlMs / 1000}; ${cookieAttributes}`
}

export const forgottenSessionCookie = `${sessionName}=; Max-Age=0; ${cookieAttributes}`

/** See `identity/people/known-browser.ts`. */
export function findKnownBrowser(cookies: string | undefined): string | undefined {
  return findCookie(cookies, knownName)
}

export function toKnownBrowserCookie(value: string): string {
  return `${knownName}=${value}; Max-Age=${knownSeconds}; ${cookieAttributes}`
}

/** Ignores values that are not 256 bits in base64url; this server did not set them. */
export function findCookie(cookies: string | undefined, name: string): string | undefined {
  for (const cookie of cookies?.split(';') ?? []) {
    const pair = cookie.trim()
    const value = pair.startsWith(`${name}=`) ? pair.slice(name.length + 1) : ''
    if (/^[A-Za-z0-9_-]{43}$/.test(value)) return value
  }
  return undefined
}
