/**
 * What a JSON body must be before anyone looks for its members: UTF-8, nested no deeper than we follow, its numbers numbers.
 * In: the inflated bytes, then the value parsed from them. Out: the text that says just that value, or ApiError
 * `invalid_body` that says what is wrong and where.
 */
import { isUtf8 } from 'node:buffer'
import { ApiError } from '../errors.ts'

/** Bytes of a body after inflation. */
export const maxBodyBytes = 1024 * 1024

/** The report itself is level 1. */
const maxDepth = 32

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const openers = new Set([0x5b, 0x7b])
const closers = new Set([0x5d, 0x7d])

/** Returns how many members the text writes down, repeated names included. */
export function checkJsonBytes(bytes: Buffer): number {
  if (!isUtf8(bytes)) throw new ApiError('invalid_body', 'The body is not valid UTF-8')
  let depth = 0
  let members = 0
  let inString = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (inString) {
      if (byte === backslash) at++
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (byte === colon) members++
    else if (openers.has(byte)) {
      if (++depth > maxDepth)
        throw new ApiError('invalid_body', `The body nests deeper than ${maxDepth} levels, at byte ${at}`)
    } else if (closers.has(byte)) depth--
  }
  return members
}

/**
 * The body's own text, to the last digit, where every reader of it finds the value that was parsed here.
 * Where a name is repeated readers differ; that body is written anew from the value, in which the last one counts.
 *
 * @param written What `checkJsonBytes` counted.
 * @throws ApiError for a number that is too large to be one, wherever it stands
 */
export function toJsonText(value: unknown, bytes: Buffer, written: number): string {
  return countMembers(value, '') === written ? bytes.toString('utf8') : JSON.stringify(value)
}

function countMembers(value: unknown, pointer: string): number {
  if (typeof value === 'number' && !Number.isFinite(value)) throw tooLarge(pointer)
  if (typeof value !== 'object' || value === null) return 0
  let members = 0
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) members += countMembers(item, `${pointer}/${index}`)
    return members
  }
  for (const [name, member] of Object.entries(value)) {
    members += 1 + (isPlain(member) ? 0 : countMembers(member, `${pointer}/${toPointerToken(name)}`))
  }
  return members
}

/** Most members are; for them no pointer has to be made. */
function isPlain(value: unknown): boolean {
  return (
    typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  )
}

/** RFC 6901 §3 */
function toPointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function tooLarge(pointer: string): ApiError {
  const place = { pointer, code: 'number', detail: 'is a number beyond the range of doubles' }
  return new ApiError('invalid_body', `"${pointer || '(the body)'}" ${place.detail}`, { errors: [place] })
}
