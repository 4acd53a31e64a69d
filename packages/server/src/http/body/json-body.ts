/**
 * Parses a JSON body: UTF-8, at most 32 levels deep, at most 4,096 different member names, every number
 * within the range of doubles.
 * In: the inflated bytes. Out: the value, and the text to store; or ApiError `invalid_body` with what is wrong and
 * where.
 */
import { isUtf8 } from 'node:buffer'
import { scanJson, toPointerToken } from '@posrep/kernel/scan-json'
import { ApiError } from '../../errors.ts'
import { type EntryText, longFromBytes } from '../../ports/storage/entry-text.ts'
import { createNameCount } from './name-count.ts'

/** Bytes of a body after inflation. */
export const maxBodyBytes = 1024 * 1024

/** The report itself is level 1. */
const maxDepth = 32

const maxNames = 4_096

export interface JsonBody {
  value: unknown
  /**
   * The body exactly as it was sent, except when an object repeats a member name. Parsers then take different members,
   * so the text is serialized from `value`, which has the last one. A long body stays in bytes.
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

/** Returns their number. @throws ApiError */
function scanMembers(bytes: Buffer): number {
  const scanned = scanJson(bytes, maxDepth)
  if (scanned.kind !== 'members') throw refused(`nests deeper than ${maxDepth} levels`, scanned.index)
  // Fewer members have fewer names.
  if (scanned.count > maxNames) checkNames(bytes)
  return scanned.count
}

/** @throws ApiError */
function checkNames(bytes: Buffer): void {
  const countName = createNameCount()
  const scanned = scanJson(bytes, maxDepth, (from, to) => countName(bytes, from, to) <= maxNames)
  if (scanned.kind === 'refused') throw refused(`has more than ${maxNames} different member names`, scanned.index)
}

function refused(mistake: string, index: number): ApiError {
  return new ApiError('invalid_body', `The body ${mistake}, at byte ${index}`)
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

function tooLarge(pointer: string): ApiError {
  const finding = { pointer, code: 'number', detail: 'is a number beyond the range of doubles' }
  return new ApiError('invalid_body', `"${pointer || '(the body)'}" ${finding.detail}`, { errors: [finding] })
}
