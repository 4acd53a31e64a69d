/**
 * Signatures of Ed25519 (RFC 8032) for who makes many: by libsodium where it is installed, which takes some 60 % of the time
 * of Node's own crypto, and by that where not. Both make the same ones.
 */
import { type KeyObject, sign } from 'node:crypto'

export type Sign = (text: Uint8Array) => Buffer
export type ToSign = (key: KeyObject) => Sign

export async function findSigning(load = () => import('sodium-native')): Promise<ToSign> {
  try {
    return byLibsodium((await load()).default)
  } catch {
    // An optional dependency, which has no build for some machines.
    return byNode
  }
}

function byNode(key: KeyObject): Sign {
  return (text) => sign(null, text, key)
}

function byLibsodium({ crypto_sign_detached, crypto_sign_BYTES }: typeof import('sodium-native').default): ToSign {
  return (key) => {
    const { d = '', x = '' } = key.export({ format: 'jwk' })
    const secret = Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')])
    return (text) => {
      const signature = Buffer.allocUnsafe(crypto_sign_BYTES)
      crypto_sign_detached(signature, text, secret)
      return signature
    }
  }
}
