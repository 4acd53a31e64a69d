/**
 * Long random secrets and their hashes: client secrets, codes, refresh tokens and session ids are stored as SHA-256 only.
 * Passwords of people are not long and random; `password.ts` hashes them.
 */
import { hash, randomFillSync, timingSafeEqual } from 'node:crypto'

/** Filled at once: the system's generator takes as long for 32 bytes as for 4,096. */
const pool = Buffer.allocUnsafeSlow(4_096)
let poolUsed = pool.length

/** @returns base64url; 256 bits by default */
export function randomSecret(bytes = 32): string {
  if (poolUsed + bytes > pool.length) {
    randomFillSync(pool)
    poolUsed = 0
  }
  const from = poolUsed
  poolUsed += bytes
  const text = pool.toString('base64url', from, poolUsed)
  // Cleared: the pool never contains a secret that is in use.
  pool.fill(0, from, poolUsed)
  return text
}

/** The stored form of a secret: SHA-256, base64url. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

/** Compares in constant time; for hashes and other values of equal length. */
export function isSameSecret(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
