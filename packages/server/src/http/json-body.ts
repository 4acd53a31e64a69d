/**
 * What a JSON body must be before anyone looks at its members: UTF-8, nested no deeper than we follow.
 * In: the inflated bytes. Out: nothing, or ApiError `invalid_body` that says what and where.
 */
import { isUtf8 } from 'node:buffer'
import { ApiError } from '../errors.ts'

/** Bytes of a body after inflation. */
export const maxBodyBytes = 1024 * 1024

/** The report itself is level 1. */
const maxDepth = 32

const quote = 0x22
const backslash = 0x5c
const openers = new Set([0x5b, 0x7b])
const closers = new Set([0x5d, 0x7d])

export function checkJsonBytes(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new ApiError('invalid_body', 'The body is not valid UTF-8')
  let depth = 0
  let inString = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (inString) {
      if (byte === backslash) at++
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (openers.has(byte)) {
      if (++depth > maxDepth)
        throw new ApiError('invalid_body', `The body nests deeper than ${maxDepth} levels, at byte ${at}`)
    } else if (closers.has(byte)) depth--
  }
}
