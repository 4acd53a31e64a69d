/**
 * Seals what a browser carries for this server: nobody can read or change it, and only the same browser can bring it
 * back.
 * In: a text, and what it is bound to. Out: base64url (AES-256-GCM). Every process opens what another one sealed, until
 * the signing key from which the secret was derived is dropped or no longer published.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Keys } from './keys.ts'

export interface Sealer {
  /** @param boundTo Its purpose and the browser's secret; it is not in the sealed text. */
  seal(text: string, boundTo: string): string
  /** Undefined if the text was changed, is bound to something else, or was sealed with a dropped key. */
  open(sealed: string, boundTo: string): string | undefined
}

const cipherName = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

export function createSealer({ deriveSecrets }: Pick<Keys, 'deriveSecrets'>): Sealer {
  const findSecrets = () => deriveSecrets('sealed by the browser')

  return {
    seal(text, boundTo) {
      const [secret = Buffer.alloc(0)] = findSecrets()
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(cipherName, secret, iv).setAAD(Buffer.from(boundTo))
      return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
    },
    open(sealed, boundTo) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < ivBytes + tagBytes) return undefined
      return findSecrets()
        .map((secret) => decrypt(bytes, secret, boundTo))
        .find((text) => text !== undefined)
    },
  }
}

function decrypt(bytes: Buffer, secret: Buffer, boundTo: string): string | undefined {
  const decipher = createDecipheriv(cipherName, secret, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(bytes.subarray(-tagBytes))
  const text = decipher.update(bytes.subarray(ivBytes, -tagBytes))
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    // The tag does not fit.
    return undefined
  }
}
