/**
 * Turns findings into sentences for people.
 * In: what the document does not allow, and the body. Out: one error for each JSON Pointer.
 */
import type { FieldError } from '../../errors.ts'
import type { Finding } from '../validation/check-request.ts'
import { likelyMistake, likelyMistakeIn } from './likely-mistake.ts'

export function toErrors(findings: Finding[], body: unknown): FieldError[] {
  const errors = findings.map((finding) => toError(finding, body))
  return [...Map.groupBy(errors, ({ pointer }) => pointer).values()].map(merge)
}

function toError(finding: Finding, body: unknown): FieldError {
  const { part, keyword } = finding
  const pointer = part === 'body' ? finding.pointer : `/${part}${finding.pointer}`
  const code = keyword.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  if (keyword === 'required') return { pointer, code, detail: `is missing${likelyMistake(pointer, body)}` }
  const wrong = keyword === 'pattern' ? toPatternSentence(pointer) : toSentence(finding)
  return { pointer, code, detail: `${wrong}${likelyMistakeIn(pointer, body)}` }
}

/** Merges the errors of one value: a `oneOf` has an error of each alternative and one of its own. */
function merge(errors: FieldError[]): FieldError {
  const specific = errors.filter(({ code }) => code !== 'one_of' && code !== 'any_of')
  const [first = { pointer: '', code: 'invalid', detail: 'is not accepted' }, ...rest] =
    specific.length > 0 ? specific : errors
  const types = specific.filter(({ code }) => code === 'type').map(({ detail }) => detail.replace('must be ', ''))
  if (types.length > 1) return { ...first, detail: `must be ${[...new Set(types)].join(' or ')}` }
  return { ...first, detail: [...new Set([first, ...rest].map(({ detail }) => detail))].join(' and ') }
}

/** For a value that does not match its `pattern`. Key: name of the member. Value: what the pattern asks for. */
const patternSentences: Record<string, string> = {
  sourceTimeStamp:
    'must be a real time of RFC 3339 such as "2026-01-07T12:00:30.250Z", with at most 9 digits of fraction and an offset or none',
  id: 'must be 1 to 255 characters, without NUL and without half surrogate pairs',
  url: 'must be an "https://" URL of at most 2048 ASCII characters, without white space, backslash and fragment',
  deviceId: 'must be a URN such as "urn:aa:device:acme:roof1"',
  deviceUrn: 'must be a URN such as "urn:aa:device:acme:roof1"',
  clientUniqueId: 'must be 1 to 255 letters and digits',
}

function toPatternSentence(pointer: string): string {
  return patternSentences[pointer.slice(pointer.lastIndexOf('/') + 1)] ?? 'has a form that is not accepted'
}

const articles: Record<string, string> = {
  array: 'an ',
  object: 'an ',
  integer: 'an ',
  string: 'a ',
  number: 'a ',
  boolean: 'a ',
}

const fewest = (limit: string, unit: string) =>
  limit === '1' ? 'must not be empty' : `must have at least ${limit} ${unit}`

/** Key: keyword. The validator's own sentence serves for other keywords. */
const sentences: Record<string, (expected: string) => string> = {
  encoding: () => 'is not valid percent-encoding',
  discriminator: (values) => `must be one of ${values}`,
  enum: (values) => `must be one of ${values}`,
  const: () => 'has a value that is not accepted',
  oneOf: () => 'is not accepted',
  minItems: (limit) => fewest(limit, 'items'),
  minLength: (limit) => fewest(limit, 'characters'),
  maxItems: (limit) => `must have at most ${limit} items`,
  maxLength: (limit) => `must have at most ${limit} characters`,
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  type: (type) => `must be ${articles[type] ?? ''}${type}`,
}

function toSentence({ keyword, expected, message }: Finding): string {
  return sentences[keyword]?.(expected) ?? message
}
