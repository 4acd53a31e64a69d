/** An answer to send: the status, the headers, the text of the body. */
import type { ServerResponse } from 'node:http'
import type { OperationId } from '@posrep/spec'

export interface WrittenAnswer {
  status: number
  headers: Record<string, string>
  /** With its charset. None = an answer without a body. */
  media?: string
  text: string
}

export interface FailedRequest {
  /** Undefined if the request failed before it was matched. */
  operationId: OperationId | undefined
  /** Undefined if the request failed before its body was parsed. */
  body: unknown
  requestId: string
}

/** Turns the error of a failed request into its answer. */
export type AnswerError = (error: unknown, failed: FailedRequest) => WrittenAnswer

/**
 * Writes the answer with one call, after headers that are already set.
 * @param always Headers of every answer: names and values alternate.
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
