/**
 * One POST to a relay on a pool, without the streams that a client usually wraps around an answer.
 * In: what to send, and the signal that ends it. Out: the status, the first bytes and what `Retry-After` says; rejects with
 * the signal's reason, or what became of the connection.
 */
import { setImmediate } from 'node:timers/promises'
import type { Dispatcher } from 'undici'

export interface Post {
  path: string
  headers: Record<string, string>
  body: string
}

export interface RelayAnswer {
  status: number
  /** The start of it: one byte more than `maxEchoBytes` at most, so that too long can be told from just long enough. */
  body: Buffer
  retryAfter: string | undefined
}

export const maxEchoBytes = 1_024
/** What is read of an answer, so that its connection can be used again; one that sends more is cut off. */
const maxAnswerBytes = 64 * 1024

export async function exchange(pool: Dispatcher, post: Post, ending: AbortSignal): Promise<RelayAnswer> {
  const answer = await dispatch(pool, post, ending)
  // Only then does undici take this connection for free; the next message would open another one.
  await setImmediate()
  return answer
}

function dispatch(pool: Dispatcher, post: Post, ending: AbortSignal): Promise<RelayAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RelayAnswer>()
  if (ending.aborted) return Promise.reject(ending.reason)
  let controller: Dispatcher.DispatchController | undefined
  let status = 0
  let retryAfter: string | undefined
  let length = 0
  const start: Buffer[] = []
  const answered = () => resolve({ status, body: Buffer.concat(start).subarray(0, maxEchoBytes + 1), retryAfter })
  const end = () => {
    // Until there is a connection there is nothing to abort; then it is not begun.
    controller?.abort(ending.reason)
    reject(ending.reason)
  }
  ending.addEventListener('abort', end, { once: true })
  pool.dispatch(
    { ...post, method: 'POST' },
    {
      onRequestStart(begun) {
        controller = begun
        if (ending.aborted) begun.abort(ending.reason)
      },
      onResponseStart(_controller, statusCode, headers) {
        status = statusCode
        retryAfter = toText(headers['retry-after'])
      },
      onResponseData(begun, chunk) {
        if (length <= maxEchoBytes) start.push(chunk)
        length += chunk.length
        if (length <= maxAnswerBytes) return
        answered()
        begun.abort(new Error(`The relay answered with more than ${maxAnswerBytes} bytes`))
      },
      onResponseEnd: answered,
      onResponseError: (_controller, error) => reject(error),
    },
  )
  return promise.finally(() => ending.removeEventListener('abort', end))
}

function toText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
