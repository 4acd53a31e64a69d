/**
 * From what a source hands over to what the spool holds.
 * In: a position as an object or as JSON text. Out: its JSON, serialised once and checked as the service will check it.
 * Fields that the document does not name stay as they are. See the document, schemas/PositionData.
 */
import type { PositionData } from '@posrep/spec'
import { vPositionData } from '@posrep/spec/validators'
import { getDotPath, safeParse } from 'valibot'
import { AgentError } from './errors.ts'

/** @throws AgentError `invalid_position`, with the path of the first thing that is wrong. */
export function toPositionJson(position: PositionData, name: string): string {
  let json: string | undefined
  try {
    json = JSON.stringify(position)
  } catch (cause) {
    throw new AgentError('invalid_position', `${name} cannot be written as JSON; report plain values only`, { cause })
  }
  // JSON has no way to write undefined or a function.
  if (json === undefined) throw new AgentError('invalid_position', `${name} must be an object, got ${typeof position}`)
  // The text is checked, not the object: NaN becomes null on the way, a Date becomes a string.
  check(JSON.parse(json), name)
  return json
}

/** The text itself goes on, byte for byte. @throws AgentError `invalid_position`. */
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

function check(value: unknown, name: string): void {
  const { issues } = safeParse(vPositionData, value, { abortEarly: true })
  if (!issues) return
  const [issue] = issues
  const path = getDotPath(issue)
  // The document's patterns are pages long; the value says more.
  const wrong =
    issue.type === 'regex' ? `has the wrong form, got ${excerpt(issue.received)}` : lowerFirst(issue.message)
  throw new AgentError('invalid_position', `${path === null ? name : `${name}.${path}`}: ${wrong}`)
}

function excerpt(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
