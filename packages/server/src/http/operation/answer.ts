/** An answer to send: the status, the headers, the text of the body, which may be made while it is sent. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { OperationId } from '@posrep/spec'
import { endBeforeBody, isTooMuchUnread } from '../body/unread-body.ts'
import { type EventStream, writeEventStream } from '../event-stream.ts'

export interface WrittenAnswer {
  status: number
  /** Several values are sent as several headers of the same name. */
  headers: Record<string, string | string[]>
  /** With its charset. None = an answer without a body. */
  media?: string
  text: string
  /** The body, if it is made in portions; then `text` is empty. */
  portions?: TextPortions
  /** The body, if it is server-sent events; then `text` is empty. Status and media type are those of an event stream. */
  events?: EventStream
}

export interface TextPortions {
  text(): AsyncIterable<string>
  /** Ends what makes the portions. */
  close(): Promise<void>
}

/** A client that takes nothing of an answer for this long is disconnected. */
const stalledMs = 30_000

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
 * Writes the answer, after headers that are already set. An answer with `text` is written with one call; portions and events are
 * written as fast as the client takes them. The connection closes if the answer says so, or if too much of the request's body is unread.
 * @param always Headers of every answer: names and values alternate.
 */
export function writeAnswer(
  response: ServerResponse,
  { status, headers, media, text, portions, events }: WrittenAnswer,
  always: readonly string[] = [],
): Promise<void> | undefined {
  const all = [...always]
  for (const name in headers) for (const value of [headers[name] ?? ''].flat()) all.push(name, value)
  if (events) return writeEventStream(response, events, all)
  if (media !== undefined) all.push('Content-Type', media)
  if (status !== 204 && !portions) all.push('Content-Length', String(Buffer.byteLength(text)))
  const isUnread = isTooMuchUnread(response.req)
  if (isUnread && headers.Connection === undefined) all.push('Connection', 'close')
  response.writeHead(status, all)
  if (portions) return writePortions(response, portions)
  const closes = isUnread || headers.Connection === 'close'
  if (closes && !response.req.complete) endBeforeBody(response, text)
  else response.end(text)
  return undefined
}

/** When the portions fail or the client leaves, the connection is closed, so that the client sees that the answer is not whole. */
async function writePortions(response: ServerResponse, portions: TextPortions): Promise<void> {
  response.setTimeout(stalledMs, () => void response.destroy())
  const left = new AbortController()
  response.once('close', () => left.abort())
  try {
    if (response.req.method !== 'HEAD') {
      for await (const portion of portions.text()) {
        if (response.destroyed) return
        if (!response.write(portion)) await once(response, 'drain', { signal: left.signal })
      }
    }
    response.end()
  } catch (error) {
    if (!left.signal.aborted) throw error
  } finally {
    await portions.close()
  }
}
