/**
 * The query of a request that ends with a redirect to a client: an authorization request (specification, "Authorization
 * request parameters"; RFC 6749 §3.1), or a sign-out.
 * In: the raw query, because the redirect URI may be unencoded. Out: the client, the redirect URI and the parameters,
 * or the reason of a refusal. Empty and unknown parameters are ignored.
 */
import type { Client, Directory } from '../../ports/storage/directory.ts'
import { isRedirectUri, isRegistered, type RedirectUriPolicy, withSentPort } from './redirect-uri.ts'

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

/**
 * Returns the client and its redirect URI, compared as text with the registered ones, or why it is refused.
 *
 * @param parameter The parameter that has the redirect URI.
 */
export async function findRedirectTarget(
  search: string,
  directory: Pick<Directory, 'find'>,
  policy: RedirectUriPolicy,
  parameter = 'redirect_uri',
): Promise<RedirectTarget | TargetRefusal> {
  const sent = readQuery(search)
  const clientId = sent.find('client_id')
  if (sent.isRepeated('client_id')) return 'repeated-parameter'
  const client = clientId === undefined ? undefined : await directory.find('client', clientId)
  if (!client || client.disabled) return 'unknown-client'

  const raw = findRawRedirectUri(search, parameter, client.redirectUris)
  // Removes the raw URI first: the parameters of its own query are not parameters of the request.
  const query = raw === undefined ? sent : readQuery(search.replace(`${parameter}=${raw}`, ''))
  if (query.isRepeated(parameter) || (raw !== undefined && query.find(parameter) !== undefined)) {
    return 'repeated-parameter'
  }
  const redirectUri = raw ?? query.find(parameter)
  if (redirectUri === undefined || !isRegistered(redirectUri, client.redirectUris)) return 'unknown-redirect-uri'
  if (!isRedirectUri(redirectUri, policy)) {
    return isRedirectUri(redirectUri, { allowLoopback: true }) ? 'loopback-redirect-uri' : 'unknown-redirect-uri'
  }
  return { client, redirectUri, query }
}

/** The longest registered URI that is in the query unencoded, which the specification allows. */
function findRawRedirectUri(search: string, parameter: string, registered: string[]): string | undefined {
  const text = `${search.replace(/^\?/, '&')}&`
  return withSentPort(registered, text)
    .filter((uri) => text.includes(`&${parameter}=${uri}&`))
    .sort((a, b) => b.length - a.length)[0]
}

function readQuery(search: string): AuthorizationQuery {
  const firsts = new Map<string, string>()
  const repeated = new Set<string>()
  for (const part of search.replace(/^\?/, '').split('&')) {
    const equals = part.indexOf('=')
    const value = equals < 0 ? '' : decode(part.slice(equals + 1))
    if (value === '') continue
    const name = decode(part.slice(0, equals))
    if (firsts.has(name)) repeated.add(name)
    else firsts.set(name, value)
  }
  return {
    find: (name) => firsts.get(name),
    isRepeated: (name) => repeated.has(name),
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
