/**
 * Looks at JSON text before it is parsed: half a million brackets would keep `JSON.parse` busy for a third of a second.
 * In: bytes, how deep they may nest, and perhaps a function that sees each name and may refuse the text. Out: where
 * they nest deeper, or were refused; or how many members the text has, repeated names included.
 */
const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

export type ScannedJson = { kind: 'members'; count: number } | { kind: 'too deep' | 'refused'; index: number }

/** @param isAccepted Gets the bytes between the quotes of each name, as they were sent. Default: all are accepted. */
export function scanJson(
  bytes: Uint8Array,
  maxDepth: number,
  isAccepted?: (from: number, to: number) => boolean,
): ScannedJson {
  let count = 0
  let depth = 0
  let from = 0
  let to = 0
  for (let index = 0; index < bytes.length; index++) {
    switch (bytes[index]) {
      case quote:
        from = index + 1
        index = to = findClosingQuote(bytes, from)
        break
      case colon:
        count++
        if (isAccepted && !isAccepted(from, to)) return { kind: 'refused', index }
        break
      case openBrace:
      case openBracket:
        if (++depth > maxDepth) return { kind: 'too deep', index }
        break
      case closeBrace:
      case closeBracket:
        depth--
    }
  }
  return { kind: 'members', count }
}

/** The length of the text if there is none. */
function findClosingQuote(bytes: Uint8Array, from: number): number {
  let index = from
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1
  return index
}

/** RFC 6901 §3 */
export function toPointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
