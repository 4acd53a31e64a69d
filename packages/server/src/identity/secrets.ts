/**
 * Long random secrets and what is kept of them: client secrets, codes, refresh tokens and session ids are stored as
 * SHA-256 only. People's passwords are not long and random; they belong to `password.ts`.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 bits unless told otherwise, base64url. */
export function randomSecret(bytes = 32): string {
  return randomBytes(bytes).toString('base64url')
}

/** What is stored of a client secret and its like: SHA-256, base64url. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** Compares in constant time; for hashes and other values of one length. */
export function isSameSecret(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
