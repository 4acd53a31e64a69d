/**
 * One POST to a relay, without the streams that a client usually wraps around an answer.
 * In: what to send, over which connection, and what ends it. Out: the status, the first bytes and what `Retry-After` says;
 * rejects with `LateAnswer`, the signal's reason, or what became of the connection, which then is good for nothing more.
 */
import type { Dispatcher } from 'undici'

export interface Post {
  path: string
  headers: Record<string, string>
  body: string | Buffer
}

export interface ExchangeOptions {
  /** For everything from the name to the last byte. */
  deadlineMs: number
  givenUp?: AbortSignal | undefined
  /** Called once when the message has been written. */
  onSent?: (() => void) | undefined
}

export interface RelayAnswer {
  status: number
  /** The start of it: one byte more than `maxEchoBytes` at most, so that too long can be told from just long enough. */
  body: Buffer
  retryAfter: string | undefined
}

export class LateAnswer extends Error {
  override readonly name = 'LateAnswer'
}

export const maxEchoBytes = 1_024
/** What is read of an answer, so that its connection can be used again; one that sends more is cut off. */
const maxAnswerBytes = 64 * 1024
const nothing = Buffer.alloc(0)

export function exchange(connection: Dispatcher, post: Post, options: ExchangeOptions): Promise<RelayAnswer> {
  const { deadlineMs, givenUp, onSent } = options
  if (givenUp?.aborted) return Promise.reject(givenUp.reason)
  const { promise, resolve, reject } = Promise.withResolvers<RelayAnswer>()
  let controller: Dispatcher.DispatchController | undefined
  let failure: Error | undefined
  let status = 0
  let retryAfter: string | undefined
  let length = 0
  let start: Buffer = nothing

  // Idle timers alone would let an answer drip for ever.
  const timer = setTimeout(() => cutOff(new LateAnswer(`No answer within ${deadlineMs} ms`)), deadlineMs)
  const giveUp = () => cutOff(givenUp?.reason)
  givenUp?.addEventListener('abort', giveUp)

  function end(): void {
    clearTimeout(timer)
    givenUp?.removeEventListener('abort', giveUp)
  }

  function fail(error: unknown): void {
    end()
    reject(error)
  }

  function cutOff(error: Error): void {
    failure = error
    // Until there is a connection there is nothing to abort; then it is not begun.
    controller?.abort(error)
    fail(error)
  }

  function answered(): void {
    end()
    resolve({ status, body: start.subarray(0, maxEchoBytes + 1), retryAfter })
  }

  connection.dispatch(
    { path: post.path, headers: post.headers, body: post.body, method: 'POST' },
    {
      onRequestStart(begun) {
        controller = begun
        if (failure) begun.abort(failure)
        // It is written before this turn of the event loop ends.
        else if (onSent) queueMicrotask(onSent)
      },
      onResponseStart(_controller, statusCode, headers) {
        status = statusCode
        retryAfter = toText(headers['retry-after'])
      },
      onResponseData(begun, chunk) {
        if (length <= maxEchoBytes) start = length === 0 ? chunk : Buffer.concat([start, chunk])
        length += chunk.length
        if (length <= maxAnswerBytes) return
        answered()
        begun.abort(new Error(`The relay answered with more than ${maxAnswerBytes} bytes`))
      },
      onResponseEnd: answered,
      onResponseError: (_controller, error) => fail(error),
    },
  )
  return promise
}

function toText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
