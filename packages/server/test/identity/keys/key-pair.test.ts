import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { toKeyPair } from '../../../src/identity/keys/key-pair.ts'

const makers = {
  'access tokens': () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'relay messages': () => generateKeyPairSync('ed25519'),
}

describe.each(Object.entries(makers))('a key for %s', (_use, make) => {
  const jwk = () => ({ ...make().privateKey.export({ format: 'jwk' }) })

  test('has a private and a public key that match', () => {
    const { private: own, public: published } = toKeyPair({ id: 'k1', privateJwk: jwk() })

    expect([own.type, published.type]).toEqual(['private', 'public'])
  })

  test.each([
    ['has the private half of another one', () => ({ ...jwk(), d: jwk().d })],
    ['has the public half of another one', () => ({ ...jwk(), x: jwk().x })],
    ['has lost its private half', () => ({ ...jwk(), d: undefined })],
    ['is cut', () => ({ ...jwk(), d: jwk().d?.slice(0, 20) })],
    ['is empty', () => ({})],
  ])('that %s is refused with a message that says what to do and has no part of the key', (_damage, damaged) => {
    expect(() => toKeyPair({ id: 'k1', privateJwk: damaged() })).toThrow(
      'The signing key "k1" is damaged; remove it with "posrep-server keys drop k1", or restore a backup',
    )
  })
})
