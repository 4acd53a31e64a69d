/**
 * The query of an authorization request (specification, "Authorization request parameters"; RFC 6749 §3.1).
 * In: the query as it was sent, because the redirect URI may come raw. Out: the client and the redirect URI, or why not;
 * then the parameters. Empty ones are as good as left out, unknown ones are ignored.
 */
import type { Client, Directory } from '../../ports/directory.ts'
import { isRedirectUri, type RedirectUriPolicy } from './redirect-uri.ts'

export interface AuthorizationQuery {
  find(name: string): string | undefined
  isRepeated(name: string): boolean
}

/** Where answers go. Until this is proven, nothing is redirected. */
export interface RedirectTarget {
  client: Client
  redirectUri: string
  query: AuthorizationQuery
}

export type TargetRefusal = 'unknown-client' | 'unknown-redirect-uri' | 'repeated-parameter'

/** The client and its registered redirect URI, compared as text; no more than the reason when it is not one. */
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

  const registered = client.redirectUris.filter((uri) => isRedirectUri(uri, policy))
  const raw = findRawRedirectUri(search, registered)
  // Taken out as it was found: what a raw URI brings along in its own query is no parameter of ours.
  const query = raw === undefined ? sent : readQuery(search.replace(`redirect_uri=${raw}`, ''))
  if (query.isRepeated('redirect_uri') || (raw !== undefined && query.find('redirect_uri') !== undefined)) {
    return 'repeated-parameter'
  }
  const redirectUri = raw ?? query.find('redirect_uri')
  if (redirectUri === undefined || !registered.includes(redirectUri)) return 'unknown-redirect-uri'
  return { client, redirectUri, query }
}

/** The longest registered URI that stands unencoded in the query, as the specification has it. */
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

/** Form encoding (RFC 6749 appendix B); what is not encoded well stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
