/**
 * Parses and validates a relay message.
 * In: untrusted bytes. Out: the parsed object, including members that the document does not name.
 * See the document, schema RelayMessage.
 */
import type { ProblemError, RelayMessage } from '@posrep/spec'
import { vRelayMessage } from '@posrep/spec/validators'
import * as v from 'valibot'
import { ReceiverError } from '../errors.ts'

const names: RelayMessage['name'][] = ['validate', 'position_report']
const version: RelayMessage['version'] = '1.0'

/** A report may have 32 levels of nesting; the message adds one. */
const maxDepth = 33

/** @throws ReceiverError `invalid_body`, `unknown_message` */
export function parseMessage(bytes: Uint8Array): RelayMessage {
  checkDepth(bytes)
  const message = parseJson(bytes)
  if (isRelayMessage(message)) return message
  checkKnown(message)
  const { issues = [] } = v.safeParse(vRelayMessage, message)
  throw invalidBody(issues.slice(0, maxErrors).map(toProblemError), issues.length)
}

/** Only the validator's verdict is used, because its output omits unknown members. */
function isRelayMessage(message: unknown): message is RelayMessage {
  return v.is(vRelayMessage, message)
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    const what = cause instanceof SyntaxError ? 'JSON' : 'UTF-8'
    throw new ReceiverError('invalid_body', `The body is not valid ${what}`, { cause })
  }
}

const quote = 0x22
const backslash = 0x5c
const [openBracket, openBrace] = [0x5b, 0x7b]
const [closeBracket, closeBrace] = [0x5d, 0x7d]

function checkDepth(bytes: Uint8Array): void {
  let depth = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (byte === quote) index = findEndOfString(bytes, index + 1)
    else if (byte === openBracket || byte === openBrace) depth++
    else if (byte === closeBracket || byte === closeBrace) depth--
    if (depth > maxDepth) {
      throw new ReceiverError('invalid_body', `The body nests deeper than ${maxDepth} levels, at byte ${index}`)
    }
  }
}

/** Returns the index of the closing quote, or the length of the text if there is none. */
function findEndOfString(bytes: Uint8Array, start: number): number {
  for (let index = start; ; index++) {
    // Finding the quote natively is faster than looking at each byte.
    const end = bytes.indexOf(quote, index)
    if (end < 0) return bytes.length
    let backslashes = 0
    while (bytes[end - 1 - backslashes] === backslash && end - 1 - backslashes >= start) backslashes++
    if (backslashes % 2 === 0) return end
    index = end
  }
}

/** An unknown name or version is the only error reported: the schema says nothing about such a message. */
function checkKnown(message: unknown): void {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return
  check('name', names)
  check('version', [version])

  function check(member: string, known: string[]): void {
    const seen: unknown = Reflect.get(Object(message), member)
    if (typeof seen !== 'string' || known.includes(seen)) return
    const detail = `must be ${known.map((one) => `"${one}"`).join(' or ')}, got ${shorten(JSON.stringify(seen))}`
    throw new ReceiverError('unknown_message', `"${member}" ${detail}`, {
      errors: [{ pointer: `/${member}`, code: 'unknown', detail }],
    })
  }
}

const maxErrors = 20

function invalidBody(errors: ProblemError[], count: number): ReceiverError {
  const [first] = errors
  const rest = count > 1 ? `; ${count - 1} more in "errors"` : ''
  const message = first
    ? `"${first.pointer || '(the body)'}" ${first.detail}${rest}`
    : 'The body is not a relay message'
  return new ReceiverError('invalid_body', message, { errors })
}

type Issue = v.InferIssue<typeof vRelayMessage>

function toProblemError({ path, type, expected, received }: Issue): ProblemError {
  const pointer = (path ?? []).map(({ key }) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  if (received === 'undefined') return { pointer, code: 'required', detail: 'is required' }
  const wanted = expected ? `must be ${shorten(expected)}` : 'is not valid'
  return { pointer, code: type, detail: `${wanted}, got ${shorten(received)}` }
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 99)}…` : text
}
