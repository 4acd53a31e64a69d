import { createPrivateKey, generateKeyPairSync, verify } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findSigning } from '../../src/relays/ed25519.ts'

const missing = async () => {
  throw new Error('No build for this machine')
}

const base64url = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')

test('the first test vector of RFC 8032 is met, with libsodium and without it', async () => {
  // Section 7.1, TEST 1: no text at all.
  const d = base64url('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60')
  const x = base64url('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a')
  const key = createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', d, x } })
  const expected =
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b'

  for (const toSign of [await findSigning(), await findSigning(missing)])
    expect(toSign(key)(new Uint8Array()).toString('hex')).toBe(expected)
})

test('libsodium makes the signature that Node makes', async () => {
  const [byLibsodium, byNode] = [await findSigning(), await findSigning(missing)]
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), (text) => {
      const { privateKey, publicKey } = generateKeyPairSync('ed25519')
      const signature = byLibsodium(privateKey)(text)
      expect(signature).toEqual(byNode(privateKey)(text))
      expect(verify(null, text, publicKey, signature)).toBe(true)
    }),
    { numRuns: 50 },
  )
})

test('libsodium is installed here, so that the signatures of these tests are its own', async () => {
  const { default: sodium } = await import('sodium-native')
  expect(sodium.crypto_sign_BYTES).toBe(64)
})
