/**
 * Lines out of a stream of bytes, as they come.
 * In: chunks cut anywhere. Out: lines without their ends (LF or CRLF), the last one also if it has none. Of a line longer
 * than a mebibyte only the beginning comes out: a stream without line ends must not fill the memory.
 */

const longestLine = 1_048_576

export async function* readLines(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<string, void, void> {
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
    if (rest.length > longestLine) {
      if (!overlong) yield rest.slice(0, longestLine)
      overlong = true
      rest = ''
    }
  }
  rest += decoder.decode()
  if (rest !== '' && !overlong) yield withoutReturn(rest)
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
