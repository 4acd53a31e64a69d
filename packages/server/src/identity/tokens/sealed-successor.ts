/**
 * Encrypts the result of a refresh, so that a repetition can return it although the store has only hashes of tokens.
 * In: the token pair, and the refresh token that was presented for it. Out: text that only that refresh token decrypts.
 */
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'

/** The result of a refresh, and of its repetition within the grace period. */
export interface TokenPair {
  accessToken: string
  expiresAtMs: number
  refreshToken: string
  scopes: string[]
}

const ivBytes = 12
const tagBytes = 16

/** AES-256-GCM: iv, tag, text; base64url. */
export function sealPair(pair: TokenPair, presentedToken: string): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', toSealKey(presentedToken), iv)
  const text = cipher.update(JSON.stringify(pair), 'utf8')
  const end = cipher.final()
  return Buffer.concat([iv, cipher.getAuthTag(), text, end]).toString('base64url')
}

/** @throws when the seal was not made for this token, or was altered. */
export function unsealPair(sealed: string, presentedToken: string): TokenPair {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', toSealKey(presentedToken), bytes.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  })
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
  const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()])
  // The tag proves that `sealPair` wrote it.
  return JSON.parse(text.toString('utf8')) as TokenPair
}

/**
 * The one-step derivation of NIST SP 800-56C, SHA-256(counter || secret || info): the token's 256 random bits need no
 * extraction (RFC 5869 §3.3). The hashed text starts with a counter, so that the key cannot be computed from the stored
 * hash of the token by a length extension.
 */
function toSealKey(token: string): Buffer {
  return hash('sha256', `\0\0\0\x01${token}posrep refresh successor`, 'buffer')
}
