/**
 * A user's tokens as the SDK keeps them.
 * In: what a token endpoint answered. Out: tokens, or undefined if it is no token response.
 * See the document, schema TokenResponse.
 */
export interface Tokens {
  accessToken: string
  /** Absent if the client is not registered for the refresh grant. */
  refreshToken?: string
  /** Space separated scopes that were granted. */
  scope?: string
  /** When the access token expires, by this machine's clock, in ms since the epoch. To be shown: what counts is the service's 401. */
  expiresAtMs?: number
}

/** Tolerant: a service may leave out what it was not asked for. */
export function toTokens(answer: unknown, nowMs: number): Tokens | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined
  if (!('access_token' in answer) || typeof answer.access_token !== 'string') return undefined
  const tokens: Tokens = { accessToken: answer.access_token }
  if ('refresh_token' in answer && typeof answer.refresh_token === 'string') tokens.refreshToken = answer.refresh_token
  if ('scope' in answer && typeof answer.scope === 'string') tokens.scope = answer.scope
  if ('expires_in' in answer && typeof answer.expires_in === 'number')
    tokens.expiresAtMs = nowMs + answer.expires_in * 1000
  return tokens
}
