/**
 * Finds the address of the key set of a service.
 * In: the service's issuer, the origin `{auth_url}`. Out: the `jwks_uri` of its metadata (RFC 8414).
 */
import type { Fetch } from '../ports.ts'
import { fetchJson } from './fetch-json.ts'

/** @throws TypeError if `from` is not an origin with https; http is allowed on loopback only. */
export function toIssuer(from: string | URL): URL {
  const url = URL.parse(from)
  const isOrigin = url && `${url.origin}/` === url.href
  if (isOrigin && isSafe(url)) return url
  throw new TypeError(
    `"from" must be the service's issuer, an https origin such as https://auth.example.net, got "${from}"`,
  )
}

/** @throws Error when the metadata cannot be fetched or belong to another issuer. */
export async function findKeySetAddress(issuer: URL, fetch: Fetch, signal: AbortSignal): Promise<URL> {
  const address = new URL('/.well-known/oauth-authorization-server', issuer)
  const metadata = await fetchJson(address, fetch, signal)
  // RFC 8414 §3.3: metadata of another issuer must not be used.
  if (URL.parse(read(metadata, 'issuer'))?.href !== issuer.href) {
    throw new Error(`GET ${address} answered with "issuer" "${read(metadata, 'issuer')}"; "from" must be the issuer`)
  }
  const keySet = URL.parse(read(metadata, 'jwks_uri'))
  if (!keySet || !isSafe(keySet)) throw new Error(`GET ${address} answered without an https "jwks_uri"`)
  return keySet
}

function read(metadata: unknown, member: string): string {
  return String(Reflect.get(Object(metadata), member))
}

function isSafe({ protocol, hostname }: URL): boolean {
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback)
}
