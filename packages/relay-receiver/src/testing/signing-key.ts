/**
 * An Ed25519 key that signs as the service does.
 * In: a private JWK, or nothing for a new key. Out: signatures in the form of `webhook-signature`, and the key as JWKs.
 */
import type { Jwk } from '@posrep/spec'

export interface SigningKey {
  publicJwk: Jwk
  privateJwk: JsonWebKey
  /** Returns `v1a,<base64>`. */
  sign(text: string): Promise<string>
}

const kid = 'test-key'

export async function createSigningKey(given?: JsonWebKey): Promise<SigningKey> {
  const privateJwk = given ?? (await generate())
  const { kty, crv, x = '', d = '' } = privateJwk
  if (kty !== 'OKP' || crv !== 'Ed25519')
    throw new TypeError('The private key must be an Ed25519 JWK (kty OKP, crv Ed25519)')
  const privateKey = await crypto.subtle.importKey('jwk', { kty, crv, x, d }, 'Ed25519', false, ['sign'])

  return {
    publicJwk: { kty: 'OKP', kid, use: 'sig', alg: 'EdDSA', crv: 'Ed25519', x },
    privateJwk: { kty, crv, x, d },
    async sign(text) {
      const signature = await crypto.subtle.sign('Ed25519', privateKey, new TextEncoder().encode(text))
      return `v1a,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`
    },
  }
}

async function generate(): Promise<JsonWebKey> {
  const { privateKey } = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
  return crypto.subtle.exportKey('jwk', privateKey)
}
