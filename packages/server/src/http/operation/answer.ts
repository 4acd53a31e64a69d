/** An answer to send: the status, the headers, the text of the body. */
import type { ServerResponse } from 'node:http'
import type { OperationId } from '@posrep/spec'
import { endBeforeBody, isTooMuchUnread } from '../body/unread-body.ts'

export interface WrittenAnswer {
  status: number
  /** Several values are sent as several headers of the same name. */
  headers: Record<string, string | string[]>
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
 * Writes the answer, after headers that are already set. The connection closes if the answer says so, or if too much of the
 * request's body is unread.
 * @param always Headers of every answer: names and values alternate.
 */
export function writeAnswer(
  response: ServerResponse,
  { status, headers, media, text }: WrittenAnswer,
  always: readonly string[] = [],
): void {
  const all = [...always]
  for (const name in headers) for (const value of [headers[name] ?? ''].flat()) all.push(name, value)
  if (media !== undefined) all.push('Content-Type', media)
  if (status !== 204) all.push('Content-Length', String(Buffer.byteLength(text)))
  const isUnread = isTooMuchUnread(response.req)
  if (isUnread && headers.Connection === undefined) all.push('Connection', 'close')
  response.writeHead(status, all)
  const closes = isUnread || headers.Connection === 'close'
  if (closes && !response.req.complete) endBeforeBody(response, text)
  else response.end(text)
}
