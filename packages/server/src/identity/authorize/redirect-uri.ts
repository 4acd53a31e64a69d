/**
 * Redirect URIs: which ones a client may register, which registered one a request names, and how the parameters of an
 * answer are added to one. A request must name a registered one exactly, as text (RFC 9700 §2.1). Only of loopback
 * addresses, for native applications, may the port be open (RFC 8252 §7.3).
 */
export interface RedirectUriPolicy {
  /** Also accept `http://127.0.0.1`, `http://[::1]` and `http://localhost`, for development. Default false. */
  allowLoopback?: boolean
}

const maxLength = 2048

const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost']

/** Whether a client may register the address. */
export function isRedirectUri(uri: string, { allowLoopback = false }: RedirectUriPolicy): boolean {
  if (uri.length > maxLength || !/^[\x21-\x7e]+$/.test(uri) || /[#\\"<>^`{|}]/.test(uri)) return false
  const url = URL.parse(uri)
  if (url?.username !== '' || url.password !== '') return false
  const isLoopback = url.protocol === 'http:' && loopbackHosts.includes(url.hostname)
  if (url.protocol !== 'https:' && !(allowLoopback && isLoopback)) return false
  // URL parsers read `https:/a` and `https:a` as `https://a`.
  return uri.startsWith(`${url.protocol}//`)
}

/** Whether a client may list the address as an origin of its own. */
export function isAppOriginText(origin: string, policy: RedirectUriPolicy): boolean {
  return isRedirectUri(origin, policy) && URL.parse(origin)?.origin === origin
}

/** An IP literal with a port. `localhost` is not one: a name may resolve to another machine (RFC 8252 §8.3). */
const loopbackPort = /^(http:\/\/(?:127\.0\.0\.1|\[::1\])):[1-9]\d{0,4}(?=[/?]|$)/

/** Whether the address is registered, or is a registered loopback address with a port of the moment. */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  return registered.includes(uri) || (URL.canParse(uri) && registered.includes(uri.replace(loopbackPort, '$1')))
}

/**
 * The registered addresses, those with an open port with the port that the text has after `redirect_uri=` or the like.
 */
export function withSentPort(registered: readonly string[], text: string): string[] {
  const [, host = '', port] = /=(http:\/\/(?:127\.0\.0\.1|\[::1\]))(:[1-9]\d{0,4})/.exec(text) ?? []
  if (port === undefined) return [...registered]
  const open = registered.filter((uri) => uri.startsWith(host) && /^(?:[/?]|$)/.test(uri.slice(host.length)))
  return [...registered, ...open.map((uri) => `${host}${port}${uri.slice(host.length)}`)]
}

/** Adds the parameters of an answer after the redirect URI's own query, which stays as it was registered. */
export function toRedirect(redirectUri: string, parameters: Record<string, string | undefined>): string {
  const sent = Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  if (sent.length === 0) return redirectUri
  const separator = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&'
  return `${redirectUri}${separator}${new URLSearchParams(sent)}`
}
