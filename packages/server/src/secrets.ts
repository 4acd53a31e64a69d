/**
 * Long random secrets and their hashes: client secrets, codes, refresh tokens and session ids are stored as SHA-256
 * only. Passwords of people are not long and random; `password.ts` hashes them.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** @returns base64url; 256 bits by default */
export function randomSecret(bytes = 32): string {
  return randomBytes(bytes).toString('base64url')
}

/** The stored form of a secret, and of other texts that are too long or too private for a key: SHA-256, base64url. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

/** Compares in constant time; texts of different length are different at once. */
export function isSameSecret(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
