/**
 * What the validator of the document found, for people.
 * In: its findings, in a schema language's words, and the body. Out: one sentence for each place.
 */
import type { ErrorPlace } from '../errors.ts'
import { likelyMistake, likelyMistakeIn } from './likely-mistake.ts'

/** As express-openapi-validator gives it: `/body/positions/0/id`, "must have required property 'id'". */
export interface Finding {
  path: string
  message: string
  errorCode?: string
}

export function toPlaces(findings: Finding[], body: unknown): ErrorPlace[] {
  const places = findings.map((finding) => toPlace(finding, body))
  return [...Map.groupBy(places, ({ pointer }) => pointer).values()].map(merged)
}

const partsOfRequest: Record<string, string> = {
  body: '',
  query: '/query',
  params: '/path',
  headers: '/headers',
  cookies: '/cookies',
}

function toPlace({ path, message, errorCode = 'invalid' }: Finding, body: unknown): ErrorPlace {
  const [, part = '', rest = ''] = /^\/?([^/]+)(.*)$/.exec(path) ?? []
  const prefix = partsOfRequest[part]
  // A path that cannot be decoded is given as itself.
  const pointer = prefix === undefined ? '/path' : `${prefix}${rest}`
  const code = errorCode.replace(/\.openapi\.validation$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  if (prefix === undefined) return { pointer, code: 'encoding', detail: 'is not valid percent-encoding' }
  if (code === 'required') return { pointer, code, detail: `is missing${likelyMistake(pointer, body)}` }
  const wrong = code === 'pattern' ? formOf(pointer) : toSentence(message)
  return { pointer, code, detail: `${wrong}${likelyMistakeIn(pointer, body)}` }
}

/** One place for all that is wrong with one value: a choice complains of each of its branches and of itself. */
function merged(places: ErrorPlace[]): ErrorPlace {
  const telling = places.filter(({ code }) => code !== 'one_of' && code !== 'any_of')
  const [first = { pointer: '', code: 'invalid', detail: 'is not accepted' }, ...rest] =
    telling.length > 0 ? telling : places
  const types = telling.filter(({ code }) => code === 'type').map(({ detail }) => detail.replace('must be ', ''))
  if (types.length > 1) return { ...first, detail: `must be ${[...new Set(types)].join(' or ')}` }
  return { ...first, detail: [...new Set([first, ...rest].map(({ detail }) => detail))].join(' and ') }
}

/** By the name of the member: a regular expression tells a person nothing. */
const forms: Record<string, string> = {
  sourceTimeStamp:
    'must be a real time of RFC 3339 such as "2026-01-07T12:00:30.250Z", with at most 9 digits of fraction and an offset or none',
  id: 'must be 1 to 255 characters, without NUL and without half surrogate pairs',
  url: 'must be an "https://" URL of at most 2048 ASCII characters, without white space, backslash and fragment',
  deviceId: 'must be a URN such as "urn:aa:device:acme:roof1"',
  deviceUrn: 'must be a URN such as "urn:aa:device:acme:roof1"',
  clientUniqueId: 'must be 1 to 255 letters and digits',
}

function formOf(pointer: string): string {
  return forms[pointer.slice(pointer.lastIndexOf('/') + 1)] ?? 'has a form that is not accepted'
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
