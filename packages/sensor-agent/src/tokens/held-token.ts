/** An access token in hand, and until when it is presented. */
import type { TokenResponse } from '@posrep/spec'
import { AgentError } from '../errors.ts'

export interface HeldToken {
  accessToken: string
  issuedAtMs: number
  /** As the service said. A 401 comes first if it was wrong. */
  expiresAtMs: number
}

export function toHeldToken({ access_token, expires_in }: TokenResponse, nowMs: number): HeldToken {
  return { accessToken: access_token, issuedAtMs: nowMs, expiresAtMs: nowMs + expires_in * 1_000 }
}

/** Renewed a minute before its end, or in the last tenth of a shorter life, so that it is not presented at its last moment. */
export function isFresh({ issuedAtMs, expiresAtMs }: HeldToken, nowMs: number): boolean {
  const earlyMs = Math.min(60_000, (expiresAtMs - issuedAtMs) / 10)
  return nowMs < expiresAtMs - earlyMs
}

/** A token whose renewal is due but cannot be had for now still serves until its end. */
export async function orStillValid<T extends HeldToken>(
  renewal: Promise<T>,
  held: T | undefined,
  now: () => number,
): Promise<T> {
  try {
    return await renewal
  } catch (error) {
    if (held && now() < held.expiresAtMs && error instanceof AgentError && error.code === 'token_unavailable')
      return held
    throw error
  }
}
