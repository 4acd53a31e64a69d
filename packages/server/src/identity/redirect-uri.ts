/**
 * Redirect URIs: what may be registered, and how answers are put onto one.
 * A request must name a registered one exactly (RFC 9700 §2.1); it is compared as text and never normalised.
 */
import { SettingsError } from '../errors.ts'

export interface RedirectUriPolicy {
  /** Also take `http://127.0.0.1` and `http://localhost`, for development. Default false. */
  allowLoopback?: boolean
}

const maxLength = 2048

/** @throws SettingsError for an address that must not be registered. */
export function checkRedirectUri(uri: string, policy: RedirectUriPolicy = {}): void {
  const problem = findProblem(uri, policy)
  if (problem) throw new SettingsError(`A redirect URI ${problem}, got "${uri.slice(0, maxLength)}"`)
}

export function isRedirectUri(uri: string, policy: RedirectUriPolicy = {}): boolean {
  return findProblem(uri, policy) === undefined
}

/** The redirect URI with an answer's parameters behind its own query, which stays as it was registered. */
export function toRedirect(redirectUri: string, parameters: Record<string, string | undefined>): string {
  const sent = Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  const separator = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&'
  return `${redirectUri}${separator}${new URLSearchParams(sent)}`
}

function findProblem(uri: string, { allowLoopback = false }: RedirectUriPolicy): string | undefined {
  if (uri.length > maxLength) return `must be at most ${maxLength} characters long`
  if (!/^[\x21-\x7e]+$/.test(uri) || /[\\"<>^`{|}]/.test(uri))
    return 'must be printable ASCII, the rest percent-encoded'
  if (uri.includes('#')) return 'must have no fragment'
  const url = URL.parse(uri)
  if (!url) return 'must be an absolute URL'
  if (url.username !== '' || url.password !== '') return 'must have no user name or password'
  const isLoopback = url.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname)
  if (url.protocol !== 'https:' && !(allowLoopback && isLoopback)) return 'must use https'
  // `https:/a` and `https:a` are taken for `https://a` by URL parsers.
  if (!uri.startsWith(`${url.protocol}//`)) return 'must start with the scheme, a colon and two slashes'
  return undefined
}
