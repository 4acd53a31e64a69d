/**
 * Simplifies the document for faker, which does not support lookaheads and code points and generates up to `maxItems`
 * items.
 * In: the document. Out: a stricter copy: its fakes are valid for the original, as a test checks.
 */
import type { Document } from './document.ts'

export function simplifyForFaker(document: Document): Document {
  const simplified = structuredClone(document)
  simplify(simplified)
  return simplified
}

function simplify(node: unknown): void {
  if (Array.isArray(node)) node.forEach(simplify)
  if (!isObject(node)) return
  Object.values(node).forEach(simplify)
  if (typeof node.pattern === 'string') simplifyString(node, new RegExp(node.pattern, 'u'))
  if (typeof node.maxItems === 'number') node.maxItems = Math.min(node.maxItems, Math.max(3, toCount(node.minItems)))
}

/** Replaces a pattern by `date-time` for times, by the schema's examples if it has some, otherwise by `uuid`. */
function simplifyString(schema: Record<string, unknown>, pattern: RegExp): void {
  delete schema.pattern
  if (!Array.isArray(schema.examples)) schema.format = 'uuid'
  else if (pattern.test('2026-01-07T12:00:30.250Z')) schema.format = 'date-time'
  else schema.enum = schema.examples
}

function toCount(minItems: unknown): number {
  return typeof minItems === 'number' ? minItems : 0
}

function isObject(node: unknown): node is Record<string, unknown> {
  return typeof node === 'object' && node !== null
}
