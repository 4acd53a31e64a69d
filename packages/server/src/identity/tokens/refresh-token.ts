/**
 * Refresh tokens as text: `<family>.<secret>`, after `p.` when they come from pairing. The family's half is its time of
 * creation and random bits: a caller that presents it has held one of its tokens. The family's public ID, which is also in
 * access tokens, has a hash of the random bits instead.
 */
import { hashSecret, randomSecret } from '../../web/secrets.ts'

export interface RefreshTokenParts {
  familyId: string
  /** The hash of the whole token. */
  hash: string
}

const pairedPrefix = 'p.'
const familyBytes = 16
/** A time in base 36: families of one time are neighbours in a store, which writes their pages together. */
const timeLength = 9
const familyHashLength = 16

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

function toFamilySecret(token: string): string {
  return token.slice(0, token.lastIndexOf('.'))
}
