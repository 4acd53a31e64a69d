/**
 * Refresh tokens as text: `<family>.<secret>`, after `p.` when they come from pairing. The family's half is its time of
 * creation and random bits: a caller that presents it has held one of its tokens. The family's public ID, which is also in
 * access tokens, has a hash of the random bits instead.
 * The successor of a token is kept sealed under a key that only the token itself yields.
 */
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import { hashSecret, randomSecret } from '../../web/secrets.ts'

export interface RefreshTokenParts {
  familyId: string
  /** The hash of the whole token. */
  hash: string
}

/** What a refresh gives, and gives again to a graced repetition. */
export interface TokenPair {
  accessToken: string
  expiresAtMs: number
  refreshToken: string
  scopes: string[]
}

const pairedPrefix = 'p.'
const familyBytes = 16
/** A time in base 36: families of one time are neighbours in a store, which writes their pages together. */
const timeLength = 9
const familyHashLength = 16
const ivBytes = 12
const tagBytes = 16

/** The first token of a new family; one from pairing says so, because its holder cannot say more than that when it is dead. */
export function createRefreshToken({ paired, nowMs }: { paired: boolean; nowMs: number }): string {
  const time = nowMs.toString(36).padStart(timeLength, '0')
  return `${paired ? pairedPrefix : ''}${time}${randomSecret(familyBytes)}.${randomSecret()}`
}

export function isPairedToken(token: string): boolean {
  return token.startsWith(pairedPrefix) && toRefreshTokenParts(token) !== undefined
}

/** The next token of the same family. */
export function createSuccessor(token: string): string {
  return `${toFamilySecret(token)}.${randomSecret()}`
}

/** Undefined for text that has not the shape of a refresh token. */
export function toRefreshTokenParts(token: string): RefreshTokenParts | undefined {
  if (!/^(?:p\.)?[0-9a-z]{9}[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}$/.test(token)) return undefined
  const from = token.startsWith(pairedPrefix) ? pairedPrefix.length : 0
  const time = token.slice(from, from + timeLength)
  const familyHash = hashSecret(toFamilySecret(token)).slice(0, familyHashLength)
  return { familyId: `${time}${familyHash}`, hash: hashSecret(token) }
}

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

function toFamilySecret(token: string): string {
  return token.slice(0, token.lastIndexOf('.'))
}

/**
 * The one-step derivation of NIST SP 800-56C, SHA-256(counter || secret || info): the token's 256 random bits need no
 * extraction (RFC 5869 §3.3). The counter in front keeps it apart from the token's stored hash, which a reader of the
 * store knows: no extension of that hash begins with it.
 */
function toSealKey(token: string): Buffer {
  return hash('sha256', `\0\0\0\x01${token}posrep refresh successor`, 'buffer')
}
