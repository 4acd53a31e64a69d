/** The private and public key of a signing key. In: its record. Out: keys of node:crypto, or SettingsError. */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { SettingsError } from '../../errors.ts'
import type { SigningKey } from '../../ports/storage/directory.ts'

export interface KeyPair {
  private: KeyObject
  public: KeyObject
}

/** @throws SettingsError when the private and the public key do not match. */
export function toKeyPair({ id, privateJwk }: Pick<SigningKey, 'id' | 'privateJwk'>): KeyPair {
  const pair = findKeyPair(privateJwk)
  if (pair) return pair
  throw new SettingsError(
    `The signing key "${id}" is damaged; remove it with "posrep-server keys drop ${id}", or restore a backup`,
  )
}

function findKeyPair(privateJwk: SigningKey['privateJwk']): KeyPair | undefined {
  const { d: _, ...publicJwk } = privateJwk
  try {
    const pair = {
      private: createPrivateKey({ key: privateJwk, format: 'jwk' }),
      public: createPublicKey({ key: publicJwk, format: 'jwk' }),
    }
    const algorithm = pair.private.asymmetricKeyType === 'ed25519' ? null : 'sha256'
    const text = Buffer.from('the halves belong together')
    return verify(algorithm, text, pair.public, sign(algorithm, text, pair.private)) ? pair : undefined
  } catch {
    return undefined
  }
}
