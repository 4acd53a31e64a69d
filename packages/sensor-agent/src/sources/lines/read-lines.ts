/**
 * Splits a stream of bytes into lines.
 * In: chunks of any size. Out: lines without LF or CRLF, and without a byte order mark. A line that is longer than the
 * limit is truncated, so that a stream without line ends cannot fill the memory.
 */
import { withoutByteOrderMark } from '../fields.ts'

export interface ReadLinesOptions {
  /** Receives a last line without its line end, which may be cut off. Default: it is a line as the others. */
  onCut?: (line: string) => void
  /** Characters of a line. Default 1 Mi. */
  maxLength?: number
}

export async function* readLines(
  chunks: AsyncIterable<Uint8Array | string>,
  { onCut, maxLength = 1_048_576 }: ReadLinesOptions = {},
): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let rest = ''
  let isFirst = true
  let overlong = false
  for await (const chunk of chunks) {
    const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))).split('\n')
    rest = lines.pop() ?? ''
    if (isFirst && lines[0] !== undefined) {
      lines[0] = withoutByteOrderMark(lines[0])
      isFirst = false
    }
    for (const line of lines) {
      if (!overlong) yield withoutReturn(line)
      overlong = false
    }
    if (rest.length > maxLength) {
      if (!overlong) yield rest.slice(0, maxLength)
      overlong = true
      rest = ''
    }
  }
  rest += decoder.decode()
  if (isFirst) rest = withoutByteOrderMark(rest)
  if (rest === '' || overlong) return
  if (onCut) onCut(withoutReturn(rest))
  else yield withoutReturn(rest)
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
