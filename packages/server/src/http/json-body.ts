/**
 * What a JSON body must be before anyone looks for its members: UTF-8, nested no deeper than we follow, its numbers numbers.
 * In: the inflated bytes. Out: the value, and what was sent, if that says just this value; or ApiError `invalid_body` that says what
 * is wrong and where.
 */
import { isUtf8 } from 'node:buffer'
import { ApiError } from '../errors.ts'
import { type EntryText, longFromBytes } from '../ports/entry-text.ts'

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
   * What was sent, to the last digit, where every reader of it finds the value that was parsed here; a long one as its
   * bytes. Where a name is repeated readers differ; that body is written anew from the value, in which the last one counts.
   */
  sent: EntryText
  /** It was not written anew. */
  isVerbatim: boolean
}

/** @throws ApiError */
export function parseJson(bytes: Buffer): JsonBody {
  const { members, isPlain } = checkBytes(bytes)
  const body = withoutByteOrderMark(bytes)
  const text = body.toString('utf8')
  const value = parse(text)
  const isVerbatim = isPlain || countMembers(value) === members
  if (!isVerbatim) return { value, sent: JSON.stringify(value), isVerbatim }
  return { value, sent: bytes.length < longFromBytes ? text : body, isVerbatim }
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
/** So many of the names there are different ones: those of the object before, which most often are those of this one. */
const differentByDepth = new Int32Array(maxDepth + 1)
/** What stands between two strings or brackets and is shorter is no number beyond the range of doubles. */
const shortNumber = 300

/** Quotes that end every text, also one that ends in a backslash. */
const pastEnd = 8
/** A body, while it is checked: bytes can be looked at four at a time there. */
const checked = new Uint8Array(maxBodyBytes + pastEnd)
const fours = new DataView(checked.buffer)

/** All but figures, signs, commas, white space and the letters of `null`, `true` and `false`, of which `e` alone is here. */
const isOfInterest = new Uint8Array(256)
for (const byte of Buffer.from('":{}[]eE')) isOfInterest[byte] = 1

/** In front of the parser, which would follow half a million brackets; it sees each byte of all bodies, so it is kept plain. */
function checkBytes(bytes: Buffer): CheckedBytes {
  if (!isUtf8(bytes)) throw new ApiError('invalid_body', 'The body is not valid UTF-8')
  const { length } = bytes
  checked.set(bytes)
  checked.fill(quote, length, length + pastEnd)
  let depth = 0
  let members = 0
  let isPlain = true
  let last = 0
  for (let at = 0; at < length; at++) {
    const byte = checked[at] ?? 0
    if (isOfInterest[byte] === 0) continue
    if (at - last > shortNumber) isPlain = false
    if (byte === quote) {
      const start = at + 1
      at = findQuote(start)
      if (checked[at] === backslash) {
        // Two ways to write one name.
        isPlain = false
        while (checked[at] === backslash) at = findQuote(at + 2)
      }
      const end = at
      if (checked[at + 1] === colon) at++
      if (checked[at] === colon) {
        members++
        isPlain = isPlain && isNewName(start, end - start, depth)
      }
    } else if (byte === colon) {
      // Behind white space, which hides the name.
      members++
      isPlain = false
    } else if (byte === openBrace || byte === openBracket) {
      if (++depth > maxDepth)
        throw new ApiError('invalid_body', `The body nests deeper than ${maxDepth} levels, at byte ${at}`)
      countByDepth[depth] = 0
    } else if (byte === closeBrace || byte === closeBracket) depth--
    else if ((byte === smallE || byte === largeE) && isFigure(checked[at - 1])) isPlain = false
    last = at
  }
  return { members, isPlain: isPlain && length - last <= shortNumber }
}

/** The next quote or backslash. */
function findQuote(from: number): number {
  for (let at = from; ; at += 4) {
    const four = fours.getInt32(at, true)
    const found = zeroBytes(four ^ 0x22222222) | zeroBytes(four ^ 0x5c5c5c5c)
    if (found !== 0) return at + ((31 - Math.clz32(found & -found)) >> 3)
  }
}

/** The highest bit of those of the four that are 0; above the lowest such, of others, too. */
function zeroBytes(four: number): number {
  return (four - 0x01010101) & ~four & 0x80808080
}

/**
 * By its length, its beginning and its end. Two names that are alike in these are not told apart: then the value is walked.
 */
function isNewName(at: number, size: number, depth: number): boolean {
  const count = countByDepth[depth] ?? mostNames
  if (count >= mostNames || size === 0) return false
  const start = fours.getInt32(at, true)
  const ends =
    size < 4 ? start & ((1 << (size * 8)) - 1) : start ^ Math.imul(fours.getInt32(at + size - 4, true), 0x9e3779b1)
  const name = ends ^ Math.imul(size, 0x85ebca77)
  const first = depth * mostNames
  countByDepth[depth] = count + 1
  if (count < (differentByDepth[depth] ?? 0) && namesByDepth[first + count] === name) return true
  for (let other = first; other < first + count; other++) if (namesByDepth[other] === name) return false
  namesByDepth[first + count] = name
  differentByDepth[depth] = count + 1
  return true
}

function isFigure(byte = 0): boolean {
  return byte >= zero && byte < colon
}

/** RFC 8259 §8.1: it may be ignored; kept, it would be in the way of whoever reads the text after us. */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
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
