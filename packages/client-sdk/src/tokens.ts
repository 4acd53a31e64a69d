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
  /** Expiry of the access token by this machine's clock, in ms since the epoch. For display only: the session refreshes after a 401. */
  expiresAtMs?: number
}

/** Only `access_token` is required. */
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
