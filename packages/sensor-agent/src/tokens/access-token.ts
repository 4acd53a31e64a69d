/** An access token and its lifetime. */
import type { TokenResponse } from '@posrep/spec'
import { AgentError, type AgentErrorCode } from '../errors.ts'

export interface AccessToken {
  accessToken: string
  issuedAtMs: number
  /** Computed from the service's `expires_in`. The service may refuse the token earlier, with a 401. */
  expiresAtMs: number
}

export function toAccessToken({ access_token, expires_in }: TokenResponse, nowMs: number): AccessToken {
  return { accessToken: access_token, issuedAtMs: nowMs, expiresAtMs: nowMs + expires_in * 1_000 }
}

/**
 * False in the last minute of the token's lifetime, or in the last tenth of a short one, so that it is renewed in time.
 */
export function isFresh({ issuedAtMs, expiresAtMs }: AccessToken, nowMs: number): boolean {
  const earlyMs = Math.min(60_000, (expiresAtMs - issuedAtMs) / 10)
  return nowMs < expiresAtMs - earlyMs
}

/** When the service cannot renew the token now, the current one is used until it expires. */
export async function renewedOrStillValid<T extends AccessToken>(
  renewal: Promise<T>,
  current: T | undefined,
  now: () => number,
): Promise<T> {
  try {
    return await renewal
  } catch (error) {
    if (current && now() < current.expiresAtMs && isTemporary(error)) return current
    throw error
  }
}

/** Also the page of a captive portal: it says nothing about the token. */
const temporary: readonly AgentErrorCode[] = ['token_unavailable', 'service_unreachable', 'foreign_answer']

function isTemporary(error: unknown): boolean {
  return error instanceof AgentError && temporary.includes(error.code)
}
