/**
 * Known browsers: those in which a user has signed in before. They are not slowed down by other people's wrong
 * passwords.
 * In: the user's e-mail address. Out: the value of a long-lived cookie: a random half, and an HMAC of it and the
 * address. Nothing is stored. A browser becomes unknown when another user signs in with it, or with the next rotation
 * of the signing keys.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { isSameSecret } from '../../secrets.ts'
import type { Keys } from '../keys/keys.ts'

export interface KnownBrowsers {
  toValue(email: string): string
  isKnown(value: string, email: string): boolean
}

/** Of each half. */
const bytes = 16

export function createKnownBrowsers({ deriveSecrets }: Pick<Keys, 'deriveSecrets'>): KnownBrowsers {
  const findSecrets = () => deriveSecrets('known browser')

  return {
    toValue(email) {
      const [secret = Buffer.alloc(0)] = findSecrets()
      return toValue(randomBytes(bytes), email, secret)
    },
    isKnown(value, email) {
      const random = Buffer.from(value, 'base64url').subarray(0, bytes)
      return findSecrets().some((secret) => isSameSecret(value, toValue(random, email, secret)))
    },
  }
}

function toValue(random: Buffer, email: string, secret: Buffer): string {
  const code = createHmac('sha256', secret).update(random).update(email).digest().subarray(0, bytes)
  return Buffer.concat([random, code]).toString('base64url')
}
