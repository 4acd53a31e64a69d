/**
 * Masks a form token with other random bytes each time that it is written into a page, so that the sizes of compressed
 * answers say nothing about it (the BREACH attack).
 */
import { randomBytes } from 'node:crypto'

export function maskToken(token: string): string {
  const plain = Buffer.from(token)
  const mask = randomBytes(plain.length)
  return Buffer.concat([mask, xor(plain, mask)]).toString('base64url')
}

/** Returns an empty text for what is not a masked token. */
export function unmaskToken(masked: string): string {
  const bytes = Buffer.from(masked, 'base64url')
  const half = bytes.length / 2
  return Number.isInteger(half) ? xor(bytes.subarray(half), bytes.subarray(0, half)).toString('latin1') : ''
}

function xor(bytes: Buffer, mask: Buffer): Buffer {
  // Both have the same length.
  return Buffer.from(bytes.map((byte, index) => byte ^ (mask[index] ?? 0)))
}
