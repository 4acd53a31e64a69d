/**
 * A user's tokens.
 * In: the body of a token response. Out: tokens, or undefined if it is not a token response.
 * See the document, schema TokenResponse.
 */
import { createRandom } from '../login/pkce.ts'

export interface Tokens {
  /** Sent as `Authorization: Bearer`. */
  accessToken: string
  /** Missing if the client is not registered for the refresh grant. */
  refreshToken?: string
  /** The granted scopes, space separated. */
  scope?: string
  /** Expiry of the access token by this machine's clock, in ms since the epoch. */
  expiresAtMs?: number
  /**
   * From this time the session refreshes the tokens before a call: a tenth of their lifetime before `expiresAtMs`, at
   * most 30 s.
   */
  refreshAtMs?: number
  /**
   * Whose tokens they are, to notice another user: the `sub` of a JWT, otherwise an ID of the sign-in. The session sets
   * it.
   */
  subject?: string
}

/** Only `access_token` is required. */
export function toTokens(answer: unknown, nowMs: number): Tokens | undefined {
  // The service may send anything, so each member is checked.
  const { access_token, refresh_token, scope, expires_in } = (answer ?? {}) as Record<string, unknown>
  if (typeof access_token !== 'string') return undefined
  const tokens: Tokens = { accessToken: access_token }
  if (typeof refresh_token === 'string') tokens.refreshToken = refresh_token
  if (typeof scope === 'string') tokens.scope = scope
  if (typeof expires_in === 'number') {
    const lifetimeMs = expires_in * 1_000
    tokens.expiresAtMs = nowMs + lifetimeMs
    tokens.refreshAtMs = tokens.expiresAtMs - Math.min(lifetimeMs / 10, 30_000)
  }
  return tokens
}

/** The tokens with their subject. */
export function withSubject(tokens: Tokens): Tokens {
  return { ...tokens, subject: findSubject(tokens.accessToken) ?? createRandom(8) }
}

function findSubject(accessToken: string): string | undefined {
  try {
    const [, claims = ''] = accessToken.split('.')
    return JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))).sub
  } catch {
    // Not a JWT: a token may be any text.
    return undefined
  }
}

/** For what was read from a store, which others may have changed. */
export function isTokens(value: unknown): value is Tokens {
  return typeof (value as Partial<Tokens> | null | undefined)?.accessToken === 'string'
}

/** Undefined for text that is not tokens as JSON, so was not written by this package. */
export function parseTokens(text: string | null | undefined): Tokens | undefined {
  if (!text) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isTokens(value) ? value : undefined
  } catch {
    // Not JSON.
    return undefined
  }
}
