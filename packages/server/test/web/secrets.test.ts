import { expect, test } from 'vitest'
import { randomSecret } from '../../src/web/secrets.ts'

test('all secrets are different, and none repeats a part of another', () => {
  const secrets = Array.from({ length: 5_000 }, (_, n) => randomSecret(n % 3 === 0 ? 16 : 32))

  expect(new Set(secrets.flatMap((secret) => secret.match(/.{21}/g) ?? [])).size).toBe(
    secrets.reduce((parts, secret) => parts + Math.floor(secret.length / 21), 0),
  )
})

test('a secret has the requested number of bytes', () => {
  expect(Buffer.from(randomSecret(), 'base64url')).toHaveLength(32)
  expect(Buffer.from(randomSecret(16), 'base64url')).toHaveLength(16)
})
