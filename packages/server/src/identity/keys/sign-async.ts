/**
 * Signs access tokens and relay messages in Node's thread pool, so that the event loop is not blocked.
 * The pool has 4 threads, of which password hashing takes at most 2 (`password.ts`).
 */
import { type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'

/** @param algorithm `null` for Ed25519, which has its own hash. */
export const signAsync: (algorithm: 'sha256' | null, text: Buffer, key: KeyObject) => Promise<Buffer> = promisify(sign)
