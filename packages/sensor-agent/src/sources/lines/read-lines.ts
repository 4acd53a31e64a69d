/**
 * Splits a stream of bytes into lines.
 * In: chunks of any size. Out: lines without LF or CRLF; the last line needs no line end, unless `isCut` says that the stream may end within a line. A line longer than 1 MiB is truncated, so
 * that a stream without line ends cannot fill the memory.
 */

const maxLineLength = 1_048_576

export async function* readLines(
  chunks: AsyncIterable<Uint8Array | string>,
  { isCut = false }: { isCut?: boolean } = {},
): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder()
  let rest = ''
  let overlong = false
  for await (const chunk of chunks) {
    const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (!overlong) yield withoutReturn(line)
      overlong = false
    }
    if (rest.length > maxLineLength) {
      if (!overlong) yield rest.slice(0, maxLineLength)
      overlong = true
      rest = ''
    }
  }
  rest += decoder.decode()
  if (rest !== '' && !overlong && !isCut) yield withoutReturn(rest)
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
