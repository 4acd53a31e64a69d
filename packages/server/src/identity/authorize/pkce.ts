/** Proof key for code exchange, S256 only (RFC 7636). */
import { hashSecret, isSameSecret } from '../../secrets.ts'

/** The SHA-256 of a verifier, base64url: 43 characters (RFC 7636 §4.2). */
export function isCodeChallenge(challenge: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(challenge)
}

export function isCodeVerifier(verifier: string): boolean {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(verifier)
}

export function isVerifierOf(challenge: string, verifier: string): boolean {
  return isSameSecret(hashSecret(verifier), challenge)
}
