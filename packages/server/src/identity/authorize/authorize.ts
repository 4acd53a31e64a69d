/**
 * GET /oauth/v2/authorize (specification, "Identity provider"; RFC 6749 §4.1.1).
 * Until the redirect URI is verified, errors are shown as pages; afterwards they are redirected. A request that passes
 * every check becomes a transaction: its user signs in if needed, and is always asked to approve. Nothing is stored.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { type PageAnswer, redirectAnswer } from '../../pages/answer.ts'
import type { Directory } from '../../ports/storage/directory.ts'
import { toBrowserSecret, toVisitor } from '../../web/cookies.ts'
import type { Audit } from '../audit.ts'
import type { OAuthErrorCode } from '../oauth-error.ts'
import type { ErrorPages } from '../pages/error.tsx'
import type { Transactions } from '../people/sign-in-transaction.ts'
import { findForeignScope, toScopes } from '../tokens/scope.ts'
import { type AuthorizationQuery, findRedirectTarget, type RedirectTarget } from './authorization-request.ts'
import type { Interaction } from './interaction.ts'
import { isCodeChallenge } from './pkce.ts'
import { type RedirectUriPolicy, toRedirect } from './redirect-uri.ts'

export interface AuthorizeContext {
  directory: Directory
  transactions: Transactions
  interaction: Interaction
  authOrigin: string
  redirectUris: RedirectUriPolicy
  errorPages: ErrorPages
  audit: Audit
}

/** The state is in the URL of the sign-in page, which proxies and servers cut or refuse above 8 KiB. */
const maxStateBytes = 2_048
/** The longest e-mail address. */
const maxHintLength = 254

interface Refusal {
  error: OAuthErrorCode
  description: string
}

type Check = (target: RedirectTarget) => Refusal | undefined

/** The checks run in this order; the first refusal is the answer. */
const checks: Check[] = [
  checkRepetition,
  checkState,
  checkResponseType,
  checkResponseMode,
  checkGrant,
  checkScope,
  checkCodeChallenge,
  checkPrompt,
]

export async function authorize(
  { search, headers, address }: { search: string; headers: IncomingHttpHeaders; address: string },
  { directory, transactions, interaction, authOrigin, redirectUris, errorPages, audit }: AuthorizeContext,
): Promise<PageAnswer> {
  const target = await findRedirectTarget(search, directory, redirectUris)
  if (target === 'loopback-redirect-uri') {
    const clientId = new URLSearchParams(search).get('client_id') ?? ''
    audit({ event: 'redirect-refused', clientId, setting: '--allow-loopback-redirects', address })
  }
  if (typeof target === 'string') return errorPages.targetRefused(target)

  const { client, redirectUri, query } = target
  const state = query.isRepeated('state') || isTooLong(query.find('state')) ? undefined : query.find('state')
  for (const check of checks) {
    const refusal = check(target)
    if (!refusal) continue
    const { error, description } = refusal
    return redirectAnswer(
      302,
      toRedirect(redirectUri, { error, error_description: description, state, iss: authOrigin }),
    )
  }

  const visitor = toVisitor({ headers, address })
  const browser = toBrowserSecret(visitor.cookies)
  const request = {
    clientId: client.id,
    redirectUri,
    scopes: toScopes(query.find('scope') ?? ''),
    encodedState: state === undefined ? null : Buffer.from(state).toString('base64url'),
    codeChallenge: query.find('code_challenge') ?? null,
    loginHint: findLoginHint(query),
    asksPassword: promptsOf(query).some((prompt) => prompt === 'login' || prompt === 'select_account'),
  }
  const transaction = transactions.begin(request, browser.secret)
  return interaction.ask(transaction, visitor, browser)
}

function checkRepetition({ query }: RedirectTarget): Refusal | undefined {
  const names = [
    ...['response_type', 'response_mode', 'scope', 'state', 'code_challenge', 'code_challenge_method'],
    ...['prompt', 'login_hint'],
  ]
  const repeated = names.find((name) => query.isRepeated(name))
  return repeated === undefined
    ? undefined
    : { error: 'invalid_request', description: `${repeated} is sent more than once` }
}

/** A state that is too long is not returned either: the redirect would be as long. */
function checkState({ query }: RedirectTarget): Refusal | undefined {
  if (!isTooLong(query.find('state'))) return undefined
  return { error: 'invalid_request', description: `state is longer than ${maxStateBytes} bytes` }
}

/** Whether a state is too long to be returned. */
export function isTooLong(state: string | undefined): boolean {
  return Buffer.byteLength(state ?? '') > maxStateBytes
}

function checkResponseType({ query }: RedirectTarget): Refusal | undefined {
  const responseType = query.find('response_type')
  if (responseType === undefined) return { error: 'invalid_request', description: 'response_type is missing' }
  if (responseType === 'code') return undefined
  return { error: 'unsupported_response_type', description: 'response_type must be code' }
}

function checkGrant({ client }: RedirectTarget): Refusal | undefined {
  if (client.grants.includes('authorization_code')) return undefined
  return { error: 'unauthorized_client', description: 'The client is not registered for the grant authorization_code' }
}

function checkScope({ client, query }: RedirectTarget): Refusal | undefined {
  const scopes = toScopes(query.find('scope') ?? '')
  if (scopes.length === 0) return { error: 'invalid_scope', description: 'scope is missing' }
  const foreign = findForeignScope(scopes, client.scopes)
  if (foreign === undefined) return undefined
  return { error: 'invalid_scope', description: `The client is not registered for the scope '${foreign}'` }
}

function checkResponseMode({ query }: RedirectTarget): Refusal | undefined {
  if ((query.find('response_mode') ?? 'query') === 'query') return undefined
  return { error: 'invalid_request', description: 'response_mode must be query' }
}

/** The user must always approve, so no request can be answered without a page. */
function checkPrompt({ query }: RedirectTarget): Refusal | undefined {
  if (!promptsOf(query).includes('none')) return undefined
  return { error: 'interaction_required', description: 'The user must always approve; prompt=none is not possible' }
}

function promptsOf(query: AuthorizationQuery): string[] {
  return query.find('prompt')?.split(' ') ?? []
}

/** An e-mail address that the sign-in page may show. */
function findLoginHint(query: AuthorizationQuery): string | null {
  const hint = query.find('login_hint')
  return hint !== undefined && hint.length <= maxHintLength ? hint : null
}

/** RFC 7636 §4.3; S256 only: `plain` does not protect against an attacker who can read the request. */
function checkCodeChallenge({ client, query }: RedirectTarget): Refusal | undefined {
  const challenge = query.find('code_challenge')
  const method = query.find('code_challenge_method')
  if (challenge === undefined && method === undefined) {
    if (client.secretHashes.length > 0) return undefined
    return { error: 'invalid_request', description: 'code_challenge is missing; a client without a secret needs PKCE' }
  }
  if (method !== 'S256') return { error: 'invalid_request', description: 'code_challenge_method must be S256' }
  if (challenge !== undefined && isCodeChallenge(challenge)) return undefined
  return { error: 'invalid_request', description: 'code_challenge must be the base64url of a SHA-256, 43 characters' }
}
