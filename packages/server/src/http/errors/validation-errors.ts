/**
 * Turns the validator's findings into sentences for people.
 * In: findings with the validator's messages, and the body. Out: one error for each JSON Pointer.
 */
import type { FieldError } from '../../errors.ts'
import type { Finding } from '../operation/request-validator.ts'
import { likelyMistake, likelyMistakeIn } from './likely-mistake.ts'

export function toErrors(findings: Finding[], body: unknown): FieldError[] {
  const errors = findings.map((finding) => toError(finding, body))
  return [...Map.groupBy(errors, ({ pointer }) => pointer).values()].map(merge)
}

const partsOfRequest: Record<string, string> = {
  body: '',
  query: '/query',
  params: '/path',
}

function toError({ path, message, errorCode = 'invalid' }: Finding, body: unknown): FieldError {
  const [, part = '', rest = ''] = /^\/?([^/]+)(.*)$/.exec(path) ?? []
  const prefix = partsOfRequest[part]
  const pointer = `${prefix ?? ''}${rest}`
  const code = errorCode.replace(/\.openapi\.validation$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  if (code === 'required') return { pointer, code, detail: `is missing${likelyMistake(pointer, body)}` }
  const wrong = code === 'pattern' ? toPatternSentence(pointer) : toSentence(message)
  return { pointer, code, detail: `${wrong}${likelyMistakeIn(pointer, body)}` }
}

/** Merges the errors of one value. For a `oneOf`, the validator reports an error of each alternative and one of the `oneOf`. */
function merge(errors: FieldError[]): FieldError {
  const specific = errors.filter(({ code }) => code !== 'one_of' && code !== 'any_of')
  const [first = { pointer: '', code: 'invalid', detail: 'is not accepted' }, ...rest] =
    specific.length > 0 ? specific : errors
  const types = specific.filter(({ code }) => code === 'type').map(({ detail }) => detail.replace('must be ', ''))
  if (types.length > 1) return { ...first, detail: `must be ${[...new Set(types)].join(' or ')}` }
  return { ...first, detail: [...new Set([first, ...rest].map(({ detail }) => detail))].join(' and ') }
}

/** For a value that does not match its `pattern`. Key: name of the member. Value: a sentence that explains the pattern. */
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

const sentences: [RegExp, string][] = [
  [/^must be equal to one of the allowed values: /, 'must be one of '],
  [/^must be equal to constant$/, 'has a value that is not accepted'],
  [/^must NOT have fewer than 1 (?:items|characters)$/, 'must not be empty'],
  [/^must NOT have fewer than (\d+) (items|characters)$/, 'must have at least $1 $2'],
  [/^must NOT have more than (\d+) (items|characters)$/, 'must have at most $1 $2'],
  [/^must be >= /, 'must be at least '],
  [/^must be <= /, 'must be at most '],
  [/^must be (array|object|integer)$/, 'must be an $1'],
  [/^must be (string|number|boolean)$/, 'must be a $1'],
  [/^must match exactly one schema in oneOf$/, 'is not accepted'],
]

function toSentence(message: string): string {
  const [form, sentence] = sentences.find(([known]) => known.test(message)) ?? []
  return form && sentence !== undefined ? message.replace(form, sentence) : message
}
