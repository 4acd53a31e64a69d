/**
 * Names for large report bodies, which have their own keys; the log entry has only the name. This saves time: Redis
 * copies and reads a body that is an argument of a script, but not a value that is written by a plain command.
 */
import { randomBytes } from 'node:crypto'
import type { EntryText } from '../../../ports/storage/entry-text.ts'

/** In bytes. For a shorter body, a separate key costs more time than it saves. */
const largeFrom = 2 * 1024

export function isLarge(body: EntryText): boolean {
  return body.length >= largeFrom
}

/** Creates unique names. Each ends with the size of its body, so that a script can limit what it reads. */
export function createBodyNames(): (bytes: number) => string {
  const process = randomBytes(9).toString('base64url')
  let count = 0
  return (bytes) => `${process}.${++count}:${bytes}`
}
