/** An answer to send: the status, the headers, the text of the body, which may be made while it is sent. */
import type { ServerResponse } from 'node:http'
import type { OperationId } from '@posrep/spec'
import { ApiError } from '../../errors.ts'
import { type AnswerMemory, answerMemoryOfProcess, countedFromBytes, holdAnswer } from '../answer-memory.ts'
import { endBeforeBody, isTooMuchUnread } from '../body/unread-body.ts'
import { toProblem } from '../errors/problem.ts'
import { type EventStream, writeEventStream } from '../event-stream.ts'
import { writePieces } from '../pieces.ts'
import type { Sharer } from '../shares.ts'

export interface WrittenAnswer {
  status: number
  /** Several values are sent as several headers of the same name. */
  headers: Record<string, string | string[]>
  /** With its charset. None = an answer without a body. */
  media?: string
  text: string
  /** The body, if all answers share its bytes; then `text` is empty. */
  file?: Buffer
  /** The body, if it is made in portions; then `text` is empty. */
  portions?: TextPortions
  /**
   * The body, if it is server-sent events; then `text` is empty. Status and media type are those of an event stream.
   */
  events?: EventStream
  /** Has a share of the memory for large answers. Default: the address at the other end of the connection. */
  taker?: Sharer | undefined
}

export interface TextPortions {
  text(): AsyncIterable<string>
  /** Ends what makes the portions. */
  close(): Promise<void>
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
 * Writes the answer, after headers that are already set. A short `text` is written with one call; all else as fast as
 * the client takes it. The connection closes if the answer says so, or if too much of the request's body is unread.
 * @param always Headers of every answer: names and values alternate.
 */
export function writeAnswer(
  response: ServerResponse,
  answer: WrittenAnswer,
  always: readonly string[] = [],
  memory = answerMemoryOfProcess,
): Promise<void> | undefined {
  const { status, headers, media, text, file, portions, events } = answer
  const bytes = Buffer.byteLength(text)
  if (bytes > countedFromBytes) return writeLarge(response, answer, always, memory)
  const all = [...always]
  // What caches may keep says so itself; most answers are somebody's.
  if (headers['Cache-Control'] === undefined && !events) all.push('Cache-Control', 'no-store')
  for (const name in headers) for (const value of [headers[name] ?? ''].flat()) all.push(name, value)
  if (events) return writeEventStream(response, events, all)
  if (media !== undefined) all.push('Content-Type', media)
  if (status !== 204 && !portions) all.push('Content-Length', String(file?.length ?? bytes))
  const isUnread = isTooMuchUnread(response.req)
  if (isUnread && headers.Connection === undefined) all.push('Connection', 'close')
  response.writeHead(status, all)
  if (portions) return writePortions(response, portions)
  if (file) return writeWhole(response, file)
  const closes = isUnread || headers.Connection === 'close'
  if (closes && !response.req.complete) endBeforeBody(response, text)
  else response.end(text)
  return undefined
}

/**
 * Keeps the bytes instead of the text, outside of the heap, while the client takes them. Refuses when too much is kept.
 */
async function writeLarge(
  response: ServerResponse,
  { text, taker, ...answer }: WrittenAnswer,
  always: readonly string[],
  memory: AnswerMemory,
): Promise<void> {
  const file = Buffer.from(text)
  const release = holdAnswer(memory, taker ?? { address: response.req.socket.remoteAddress ?? '' }, file.length)
  if (!release) return writeAnswer(response, tooMuchUntaken(), always, memory)
  try {
    await writeAnswer(response, { ...answer, text: '', file }, always, memory)
  } finally {
    release()
  }
}

function tooMuchUntaken(): WrittenAnswer {
  const { status, headers, problem } = toProblem(
    new ApiError('unavailable', 'Your account or your network has not taken large answers yet; try again in 5 s', {
      headers: { 'Retry-After': '5' },
    }),
  )
  return { status, headers, media: 'application/problem+json; charset=utf-8', text: JSON.stringify(problem) }
}

async function writeWhole(response: ServerResponse, file: Buffer): Promise<void> {
  if (response.req.method !== 'HEAD') await writePieces(response, file)
  response.end()
}

/**
 * When the portions fail or the client leaves, the connection is closed, so that the client sees that the answer is not
 * whole.
 */
async function writePortions(response: ServerResponse, portions: TextPortions): Promise<void> {
  try {
    if (response.req.method !== 'HEAD') {
      for await (const portion of portions.text()) {
        await writePieces(response, Buffer.from(portion))
        if (response.destroyed) return
      }
    }
    response.end()
  } finally {
    await portions.close()
  }
}
