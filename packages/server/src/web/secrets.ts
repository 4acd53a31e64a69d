/**
 * Long random secrets and what is kept of them: client secrets, codes, refresh tokens and session ids are stored as
 * SHA-256 only. People's passwords are not long and random; they belong to `password.ts`.
 */
import { hash, randomFillSync, timingSafeEqual } from 'node:crypto'

/** Drawn in bulk: the system's generator takes as long for 32 bytes as for all of these. */
const pool = Buffer.allocUnsafeSlow(4_096)
let poolUsed = pool.length

/** 256 bits unless told otherwise, base64url. */
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

/** What is stored of a client secret and its like: SHA-256, base64url. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

/** Compares in constant time; for hashes and other values of one length. */
export function isSameSecret(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
