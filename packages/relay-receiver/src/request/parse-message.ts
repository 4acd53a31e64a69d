/**
 * Parses and validates a relay message.
 * In: untrusted bytes. Out: the parsed object, including members that the document does not name.
 * See the document, schema RelayMessage.
 */
import { scanJson, toPointerToken } from '@posrep/kernel/scan-json'
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
  const scanned = scanJson(bytes, maxDepth)
  if (scanned.kind !== 'members') {
    throw new ReceiverError('invalid_body', `The body nests deeper than ${maxDepth} levels, at byte ${scanned.index}`)
  }
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
  const pointer = (path ?? []).map(({ key }) => `/${toPointerToken(String(key))}`).join('')
  if (received === 'undefined') return { pointer, code: 'required', detail: 'is required' }
  const wanted = expected ? `must be ${shorten(expected)}` : 'is not valid'
  return { pointer, code: type, detail: `${wanted}, got ${shorten(received)}` }
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 99)}…` : text
}
