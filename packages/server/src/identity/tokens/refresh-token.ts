/**
 * Refresh tokens as text: `<family>.<secret>`, or `p.<family>.<secret>` from pairing. The first part has the slot where
 * the family is stored, and random bits that only holders of its tokens know. The family's ID, which access tokens
 * show, has a hash instead of the random bits.
 */
import { hashSecret, randomSecret } from '../../secrets.ts'
import { slotLength, slotPattern } from './family-slots.ts'

export interface RefreshTokenParts {
  familyId: string
  /** The hash of the whole token. */
  hash: string
}

const pairedPrefix = 'p.'
const familyBytes = 16
const familyHashLength = 16
const format = new RegExp(`^(?:p\\.)?${slotPattern}[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}$`)

/**
 * Creates the first token of a new family. The text shows whether it comes from pairing, even when the family is gone.
 */
export function createRefreshToken({ paired, slot }: { paired: boolean; slot: string }): string {
  return `${paired ? pairedPrefix : ''}${slot}${randomSecret(familyBytes)}.${randomSecret()}`
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
  if (!format.test(token)) return undefined
  const from = token.startsWith(pairedPrefix) ? pairedPrefix.length : 0
  const slot = token.slice(from, from + slotLength)
  const familyHash = hashSecret(toFamilySecret(token)).slice(0, familyHashLength)
  return { familyId: `${slot}${familyHash}`, hash: hashSecret(token) }
}

/** The slot where the family is stored. */
export function toSlotOf(familyId: string): string {
  return familyId.slice(0, slotLength)
}

function toFamilySecret(token: string): string {
  return token.slice(0, token.lastIndexOf('.'))
}
