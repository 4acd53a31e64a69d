/**
 * A user's tokens.
 * In: the body of a token response. Out: tokens, or undefined if it is not a token response.
 * See the document, schema TokenResponse.
 */
export interface Tokens {
  accessToken: string
  /** Missing if the client is not registered for the refresh grant. */
  refreshToken?: string
  /** The granted scopes, space separated. */
  scope?: string
  /** Expiry of the access token by this machine's clock, in ms since the epoch. */
  expiresAtMs?: number
  /** From this time the session refreshes the tokens before a call: a tenth of their lifetime before `expiresAtMs`, at most 30 s. */
  refreshAtMs?: number
}

/** Only `access_token` is required. */
export function toTokens(answer: unknown, nowMs: number): Tokens | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined
  if (!('access_token' in answer) || typeof answer.access_token !== 'string') return undefined
  const tokens: Tokens = { accessToken: answer.access_token }
  if ('refresh_token' in answer && typeof answer.refresh_token === 'string') tokens.refreshToken = answer.refresh_token
  if ('scope' in answer && typeof answer.scope === 'string') tokens.scope = answer.scope
  if ('expires_in' in answer && typeof answer.expires_in === 'number') {
    const lifetimeMs = answer.expires_in * 1000
    tokens.expiresAtMs = nowMs + lifetimeMs
    tokens.refreshAtMs = tokens.expiresAtMs - Math.min(lifetimeMs / 10, 30_000)
  }
  return tokens
}

/** For what was read from a store, which others may have changed. */
export function isTokens(value: unknown): value is Tokens {
  return typeof value === 'object' && value !== null && 'accessToken' in value && typeof value.accessToken === 'string'
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
