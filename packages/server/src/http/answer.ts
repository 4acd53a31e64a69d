/** An answer as it is sent: the status, its headers, the text of its body. */
import type { ServerResponse } from 'node:http'

export interface WrittenAnswer {
  status: number
  headers: Record<string, string>
  /** With its charset. None = an answer without a body. */
  media?: string
  text: string
}

/**
 * Writes it in one piece, after headers that the response has already.
 * @param always Headers of every answer: names and values in turn.
 */
export function writeAnswer(
  response: ServerResponse,
  { status, headers, media, text }: WrittenAnswer,
  always: readonly string[] = [],
): void {
  const all = [...always]
  for (const name in headers) all.push(name, headers[name] ?? '')
  if (media !== undefined) all.push('Content-Type', media)
  if (status !== 204) all.push('Content-Length', String(Buffer.byteLength(text)))
  response.writeHead(status, all).end(text)
}
