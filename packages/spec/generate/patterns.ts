/**
 * Protects `\uXXXX` escapes in patterns: hey-api's printer replaces each of them in its output by the character, and a
 * lone surrogate cannot be written to a file.
 * In: the document. Out: a copy with doubly escaped patterns, so that the printer restores the original.
 */
import type { Document } from './document.ts'

export function withPrintablePatterns(document: Document): Document {
  return JSON.parse(JSON.stringify(document), (key, value) =>
    key === 'pattern' && typeof value === 'string' ? value.replaceAll('\\u', '\\u005Cu') : value,
  )
}
