import { expect, test } from 'vitest'
import { isSameSecret, randomSecret } from '../src/secrets.ts'

test('a secret has the requested number of bytes', () => {
  expect(Buffer.from(randomSecret(), 'base64url')).toHaveLength(32)
  expect(Buffer.from(randomSecret(16), 'base64url')).toHaveLength(16)
})

test('two texts are the same secret only if every byte is the same', () => {
  expect(isSameSecret('Bearer ä', 'Bearer ä')).toBe(true)
  expect(isSameSecret('Bearer ä', 'Bearer ö')).toBe(false)
  expect(isSameSecret('Bearer', 'Bearer ä')).toBe(false)
})
