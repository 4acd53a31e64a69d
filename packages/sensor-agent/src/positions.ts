/**
 * Serialises and validates positions for the spool.
 * In: a position as an object or as JSON text. Out: its JSON, which the service's schema accepts.
 * Members that the document does not name are kept. See the document, schemas/PositionData.
 */
import type { PositionData } from '@posrep/spec'
import { vPositionData } from '@posrep/spec/validators'
import { getDotPath, safeParse } from 'valibot'
import { AgentError } from './errors.ts'
import { quote } from './sources/reasons.ts'

/** @throws AgentError `invalid_position`, with the path of the first wrong value. */
export function toPositionJson(position: PositionData, name: string): string {
  let json: string | undefined
  try {
    json = JSON.stringify(position)
  } catch (cause) {
    throw new AgentError('invalid_position', `${name} cannot be serialised as JSON; report plain values only`, {
      cause,
    })
  }
  // JSON.stringify returns undefined for undefined and for functions.
  if (json === undefined) throw new AgentError('invalid_position', `${name} must be an object, got ${typeof position}`)
  // Serialising turns some values into others: NaN and holes into null, a Date into a string. Only then is the JSON
  // read again.
  if (json.includes('null') || !isValid(position)) check(JSON.parse(json), name)
  return json
}

/** Returns the text unchanged. @throws AgentError `invalid_position`. */
export function checkPositionJson(json: string, name: string): string {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (cause) {
    throw new AgentError('invalid_position', `${name} is not JSON: ${excerpt(json)}`, { cause })
  }
  check(value, name)
  return json
}

function isValid(value: unknown): boolean {
  return safeParse(vPositionData, value, { abortEarly: true }).success
}

function check(value: unknown, name: string): void {
  const { issues } = safeParse(vPositionData, value, { abortEarly: true })
  if (!issues) return
  const [issue] = issues
  const path = getDotPath(issue)
  // The document's patterns are too long for a message, so it shows the value.
  const wrong =
    issue.type === 'regex' ? `has the wrong format, got ${excerpt(issue.received)}` : lowerFirst(issue.message)
  throw new AgentError('invalid_position', `${path === null ? name : `${name}.${path}`}: ${wrong}`)
}

/** Short, and without bytes that control a terminal. */
function excerpt(text: string): string {
  return quote(text, 60)
}

export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
