/**
 * Refresh tokens as text: `<family>.<secret>`, or `p.<family>.<secret>` from pairing. The first part has the time when the
 * family was created, and random bits that only holders of its tokens know. The family's ID, which access tokens show, has a
 * hash instead of the random bits.
 */
import { hashSecret, randomSecret } from '../../secrets.ts'

export interface RefreshTokenParts {
  familyId: string
  /** The hash of the whole token. */
  hash: string
}

const pairedPrefix = 'p.'
const familyBytes = 16
/** The length of a time in base 36. Families created at about the same time are adjacent in a store's index. */
const timeLength = 9
const familyHashLength = 16

/** Creates the first token of a new family. The text shows whether it comes from pairing, even when the family is gone. */
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

/** Undefined for text that does not have the format of a refresh token. */
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
