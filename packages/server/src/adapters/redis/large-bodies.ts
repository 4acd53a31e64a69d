/**
 * Bodies that have a key of their own. Redis would copy a body that passes through a script, and look at each of its bytes,
 * once per script; it takes a plain value as it comes, and copies it where it is to be kept without looking at it.
 */
import { randomBytes } from 'node:crypto'
import type { EntryText } from '../../ports/entry-text.ts'

/** A shorter one costs less than a key does. */
const largeFrom = 2 * 1024

export function isLarge(body: EntryText): boolean {
  return body.length >= largeFrom
}

/** Names that no process gives twice, each with the size of its body behind a colon, for whoever has to bound what it reads. */
export function createBodyNames(): (bytes: number) => string {
  const process = randomBytes(9).toString('base64url')
  let count = 0
  return (bytes) => `${process}.${++count}:${bytes}`
}
