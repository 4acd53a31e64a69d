/**
 * The query of an authorization request (specification, "Authorization request parameters"; RFC 6749 §3.1).
 * In: the raw query, because the redirect URI may be unencoded. Out: the client, the redirect URI and the parameters, or the
 * reason of a refusal. Empty and unknown parameters are ignored.
 */
import type { Client, Directory } from '../../ports/storage/directory.ts'
import { isRedirectUri, type RedirectUriPolicy } from './redirect-uri.ts'

export interface AuthorizationQuery {
  find(name: string): string | undefined
  isRepeated(name: string): boolean
}

/** The client and its redirect URI. Nothing is redirected until both are verified. */
export interface RedirectTarget {
  client: Client
  redirectUri: string
  query: AuthorizationQuery
}

/** `loopback-redirect-uri`: it is registered, but the server's settings allow no http on loopback. */
export type TargetRefusal = 'unknown-client' | 'unknown-redirect-uri' | 'loopback-redirect-uri' | 'repeated-parameter'

/** Returns the client and its redirect URI, compared as text with the registered ones, or why it is refused. */
export async function findRedirectTarget(
  search: string,
  directory: Directory,
  policy: RedirectUriPolicy,
): Promise<RedirectTarget | TargetRefusal> {
  const sent = readQuery(search)
  const clientId = sent.find('client_id')
  if (sent.isRepeated('client_id')) return 'repeated-parameter'
  const client = clientId === undefined ? undefined : await directory.find('client', clientId)
  if (!client || client.disabled) return 'unknown-client'

  const raw = findRawRedirectUri(search, client.redirectUris)
  // Removes the raw URI first: the parameters of its own query are not parameters of the request.
  const query = raw === undefined ? sent : readQuery(search.replace(`redirect_uri=${raw}`, ''))
  if (query.isRepeated('redirect_uri') || (raw !== undefined && query.find('redirect_uri') !== undefined)) {
    return 'repeated-parameter'
  }
  const redirectUri = raw ?? query.find('redirect_uri')
  if (redirectUri === undefined || !client.redirectUris.includes(redirectUri)) return 'unknown-redirect-uri'
  if (!isRedirectUri(redirectUri, policy)) {
    return isRedirectUri(redirectUri, { allowLoopback: true }) ? 'loopback-redirect-uri' : 'unknown-redirect-uri'
  }
  return { client, redirectUri, query }
}

/** The longest registered URI that is in the query unencoded, which the specification allows. */
function findRawRedirectUri(search: string, registered: string[]): string | undefined {
  const text = search.replace(/^\?/, '&')
  return registered.filter((uri) => `${text}&`.includes(`&redirect_uri=${uri}&`)).sort((a, b) => b.length - a.length)[0]
}

function readQuery(search: string): AuthorizationQuery {
  const values = new Map<string, string[]>()
  for (const part of search.replace(/^\?/, '').split('&')) {
    const equals = part.indexOf('=')
    const value = equals < 0 ? '' : decode(part.slice(equals + 1))
    if (value === '') continue
    const name = decode(part.slice(0, equals))
    values.set(name, [...(values.get(name) ?? []), value])
  }
  return {
    find: (name) => values.get(name)?.[0],
    isRepeated: (name) => (values.get(name)?.length ?? 0) > 1,
  }
}

/** Form encoding (RFC 6749 appendix B); text that cannot be decoded is returned as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
