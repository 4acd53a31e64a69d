/**
 * What a JSON body must be before anyone looks for its members: UTF-8, nested no deeper than we follow, its numbers numbers.
 * In: the inflated bytes. Out: the value, and the text that says just that value; or ApiError `invalid_body` that says what
 * is wrong and where.
 */
import { isUtf8 } from 'node:buffer'
import { ApiError } from '../errors.ts'

/** Bytes of a body after inflation. */
export const maxBodyBytes = 1024 * 1024

/** The report itself is level 1. */
const maxDepth = 32

const quote = 0x22
const backslash = 0x5c
const zero = 0x30
const colon = 0x3a
const largeE = 0x45
const smallE = 0x65
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

export interface JsonBody {
  value: unknown
  /**
   * The body's own text, to the last digit, where every reader of it finds the value that was parsed here. Where a name is
   * repeated readers differ; that body is written anew from the value, in which the last one counts.
   */
  text: string
}

/** @throws ApiError */
export function parseJson(bytes: Buffer): JsonBody {
  const { members, isPlain } = checkBytes(bytes)
  const sent = toText(bytes)
  const value = parse(sent)
  return { value, text: isPlain || countMembers(value) === members ? sent : JSON.stringify(value) }
}

/** What a body says that `parseJson` takes word for word. */
export function toText(bytes: Buffer): string {
  return withoutByteOrderMark(bytes.toString('utf8'))
}

interface CheckedBytes {
  /** How many members the text writes down, repeated names included. */
  members: number
  /** If this is JSON, no name is repeated within an object and all numbers are doubles: nobody has to walk the value. */
  isPlain: boolean
}

/** Names of an object that are told apart at sight. */
const mostNames = 16
const namesByDepth = new Int32Array((maxDepth + 1) * mostNames)
const countByDepth = new Int32Array(maxDepth + 1)
/** What stands between two strings or brackets and is shorter is no number beyond the range of doubles. */
const shortNumber = 300

/** In front of the parser, which would follow half a million brackets; one turn of this loop per byte, so it is kept plain. */
function checkBytes(bytes: Buffer): CheckedBytes {
  if (!isUtf8(bytes)) throw new ApiError('invalid_body', 'The body is not valid UTF-8')
  const { length } = bytes
  let depth = 0
  let members = 0
  let isPlain = true
  let nameAt = 0
  let nameEnd = 0
  let last = 0
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] ?? 0
    // Figures, commas, white space: most of what is no string.
    if (byte < colon && byte !== quote) continue
    if (at - last > shortNumber) isPlain = false
    if (byte === quote) {
      nameAt = at + 1
      for (at++; at < length; at++) {
        const inside = bytes[at]
        if (inside === quote) break
        if (inside === backslash) {
          at++
          // Two ways to write one name.
          isPlain = false
        }
      }
      nameEnd = at
    } else if (byte === colon) {
      members++
      isPlain = isPlain && isNewName(bytes, nameAt, nameEnd, depth)
    } else if (byte === openBrace || byte === openBracket) {
      if (++depth > maxDepth)
        throw new ApiError('invalid_body', `The body nests deeper than ${maxDepth} levels, at byte ${at}`)
      countByDepth[depth] = 0
    } else if (byte === closeBrace || byte === closeBracket) depth--
    else if ((byte === smallE || byte === largeE) && isFigure(bytes[at - 1])) isPlain = false
    last = at
  }
  return { members, isPlain: isPlain && length - last <= shortNumber }
}

/** By its length and four of its bytes. Two names that are alike in these are not told apart: then the value is walked. */
function isNewName(bytes: Buffer, at: number, end: number, depth: number): boolean {
  const size = end - at
  const middle = at + (size >> 1)
  const ends = ((bytes[at] ?? 0) << 24) ^ ((bytes[end - 1] ?? 0) << 16)
  const name = ends ^ ((bytes[middle] ?? 0) << 8) ^ size ^ ((bytes[at + 1] ?? 0) << 4)
  const count = countByDepth[depth] ?? mostNames
  if (count >= mostNames || size === 0) return false
  const first = depth * mostNames
  for (let other = first; other < first + count; other++) if (namesByDepth[other] === name) return false
  namesByDepth[first + count] = name
  countByDepth[depth] = count + 1
  return true
}

function isFigure(byte = 0): boolean {
  return byte >= zero && byte < colon
}

/** RFC 8259 §8.1: it may be ignored; kept, it would be in the way of whoever reads the text after us. */
function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause
    throw new ApiError('invalid_body', `The body is not JSON: ${reason}`, { cause })
  }
}

/** @throws ApiError for a number that is too large to be one, wherever it stands */
function countMembers(value: unknown): number {
  try {
    return countBelow(value)
  } catch (error) {
    if (error !== infinity) throw error
    throw tooLarge(findInfinity(value, '') ?? '')
  }
}

const infinity = Symbol('a number beyond the range of doubles')

/** No deeper than `maxDepth`. A member named `__proto__` is one like any other here. */
function countBelow(value: unknown): number {
  if (typeof value === 'number' && !Number.isFinite(value)) throw infinity
  if (typeof value !== 'object' || value === null) return 0
  let members = 0
  if (Array.isArray(value)) {
    for (const item of value) members += countBelow(item)
    return members
  }
  // The value is fresh from the parser: it has no members but its own, and this walk is the quickest one.
  for (const name in value) {
    // `name` is one of its members.
    members += 1 + countBelow((value as Record<string, unknown>)[name])
  }
  return members
}

function findInfinity(value: unknown, pointer: string): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : pointer
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    const found = findInfinity(member, `${pointer}/${toPointerToken(name)}`)
    if (found !== undefined) return found
  }
  return undefined
}

/** RFC 6901 §3 */
function toPointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function tooLarge(pointer: string): ApiError {
  const place = { pointer, code: 'number', detail: 'is a number beyond the range of doubles' }
  return new ApiError('invalid_body', `"${pointer || '(the body)'}" ${place.detail}`, { errors: [place] })
}
