/**
 * Makes the document easy enough for faker, which knows neither lookaheads nor code points and draws as many items as it may.
 * In: the document. Out: an easier one; what fits it fits the real one (a test draws many).
 */
import type { Document } from './document.ts'

export function easedForFaker(document: Document): Document {
  const eased = structuredClone(document)
  ease(eased)
  return eased
}

function ease(node: unknown): void {
  if (Array.isArray(node)) node.forEach(ease)
  if (!isObject(node)) return
  Object.values(node).forEach(ease)
  if (typeof node.pattern === 'string') easeString(node, new RegExp(node.pattern, 'u'))
  if (typeof node.maxItems === 'number') node.maxItems = Math.min(node.maxItems, 3)
}

/** A recent time for what is a time, otherwise one of the document's examples, otherwise a UUID. */
function easeString(schema: Record<string, unknown>, pattern: RegExp): void {
  delete schema.pattern
  if (!Array.isArray(schema.examples)) schema.format = 'uuid'
  else if (pattern.test('2026-01-07T12:00:30.250Z')) schema.format = 'date-time'
  else schema.enum = schema.examples
}

function isObject(node: unknown): node is Record<string, unknown> {
  return typeof node === 'object' && node !== null
}
