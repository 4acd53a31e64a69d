/**
 * Saves the escapes in patterns from hey-api, whose printer turns every `\uXXXX` of its output into the bare character;
 * a bare surrogate cannot even be written to a file.
 * In: the document. Out: the same, where the printer's own unescaping leaves the pattern as it was.
 */
import type { Document } from './document.ts'

export function withPrintablePatterns(document: Document): Document {
  return JSON.parse(JSON.stringify(document), (key, value) =>
    key === 'pattern' && typeof value === 'string' ? value.replaceAll('\\u', '\\u005Cu') : value,
  )
}
