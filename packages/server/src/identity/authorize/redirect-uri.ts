/**
 * Redirect URIs: which ones a client may register, and how the parameters of an answer are added to one.
 * A request must name a registered one exactly (RFC 9700 §2.1): `authorization-request.ts` compares them as text.
 */
export interface RedirectUriPolicy {
  /** Also accept `http://127.0.0.1` and `http://localhost`, for development. Default false. */
  allowLoopback?: boolean
}

const maxLength = 2048

/** Whether a client may register the address. */
export function isRedirectUri(uri: string, { allowLoopback = false }: RedirectUriPolicy): boolean {
  if (uri.length > maxLength || !/^[\x21-\x7e]+$/.test(uri) || /[#\\"<>^`{|}]/.test(uri)) return false
  const url = URL.parse(uri)
  if (url?.username !== '' || url.password !== '') return false
  const isLoopback = url.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname)
  if (url.protocol !== 'https:' && !(allowLoopback && isLoopback)) return false
  // URL parsers read `https:/a` and `https:a` as `https://a`.
  return uri.startsWith(`${url.protocol}//`)
}

/** Adds the parameters of an answer after the redirect URI's own query, which stays as it was registered. */
export function toRedirect(redirectUri: string, parameters: Record<string, string | undefined>): string {
  const sent = Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  const separator = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&'
  return `${redirectUri}${separator}${new URLSearchParams(sent)}`
}
