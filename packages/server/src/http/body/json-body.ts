/**
 * Parses a JSON body: UTF-8, at most 32 levels deep, every number within the range of doubles.
 * In: the inflated bytes. Out: the value, and the text to store; or ApiError `invalid_body` with what is wrong and where.
 */
import { isUtf8 } from 'node:buffer'
import { ApiError } from '../../errors.ts'
import { type EntryText, longFromBytes } from '../../ports/storage/entry-text.ts'

/** Bytes of a body after inflation. */
export const maxBodyBytes = 1024 * 1024

/** The report itself is level 1. */
const maxDepth = 32

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

export interface JsonBody {
  value: unknown
  /**
   * The body exactly as it was sent, except when an object repeats a member name. Parsers then take different members, so
   * the text is serialized from `value`, which has the last one. A long body stays in bytes.
   */
  sent: EntryText
  /** Whether `sent` is the body as it was sent, and not serialized from `value`. */
  isVerbatim: boolean
}

/** @throws ApiError */
export function parseJson(bytes: Buffer): JsonBody {
  if (!isUtf8(bytes)) throw new ApiError('invalid_body', 'The body is not valid UTF-8')
  const members = scanMembers(bytes)
  const body = withoutByteOrderMark(bytes)
  const text = body.toString('utf8')
  const value = parse(text)
  const isVerbatim = countMembers(value) === members
  if (!isVerbatim) return { value, sent: JSON.stringify(value), isVerbatim }
  return { value, sent: bytes.length < longFromBytes ? text : body, isVerbatim }
}

/**
 * Counts the members that the text has, repeated names included. It also checks the depth, before the parser does: half a
 * million brackets would keep `JSON.parse` busy for a third of a second.
 */
function scanMembers(bytes: Buffer): number {
  let members = 0
  let depth = 0
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case quote:
        at = findClosingQuote(bytes, at + 1)
        break
      case colon:
        members++
        break
      case openBrace:
      case openBracket:
        if (++depth > maxDepth)
          throw new ApiError('invalid_body', `The body nests deeper than ${maxDepth} levels, at byte ${at}`)
        break
      case closeBrace:
      case closeBracket:
        depth--
    }
  }
  return members
}

function findClosingQuote(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}

/** Removes the byte order mark, as RFC 8259 §8.1 allows, so that the stored text never has one. */
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

const infinity = Symbol('a number beyond the range of doubles')

/** @throws ApiError for a number beyond the range of doubles, which `JSON.parse` turns into Infinity */
function countMembers(value: unknown): number {
  try {
    return countBelow(value)
  } catch (error) {
    if (error !== infinity) throw error
    throw tooLarge(findInfinity(value, '') ?? '')
  }
}

/** Recursive, as the depth is bounded. A member named `__proto__` is an ordinary one. */
function countBelow(value: unknown): number {
  if (typeof value === 'number' && !Number.isFinite(value)) throw infinity
  if (typeof value !== 'object' || value === null) return 0
  let members = 0
  if (Array.isArray(value)) {
    for (const item of value) members += countBelow(item)
    return members
  }
  // `Object.values` would allocate an array. The parser's objects have own members only.
  for (const name in value) {
    members += 1 + countBelow((value as Record<string, unknown>)[name])
  }
  return members
}

/** Returns the JSON Pointer of the first number that is Infinity. */
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
  const finding = { pointer, code: 'number', detail: 'is a number beyond the range of doubles' }
  return new ApiError('invalid_body', `"${pointer || '(the body)'}" ${finding.detail}`, { errors: [finding] })
}
