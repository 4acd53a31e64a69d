/**
 * Sends a typed call: within its time, ended by its signal, repeated when the service asks for it.
 * In: an operation of the document with its parameters. Out: the value of its success, or a PosrepError; the reason of
 * the caller's signal. Method, path, parameters and value have the document's types.
 */

import { abortable } from '@posrep/kernel/abortable'
import type { Operations, paths } from '@posrep/spec'
import type { operationTable, TokenOperationId } from '@posrep/spec/operations'
import type { Client as RawClient } from 'openapi-fetch'
import { ApiError } from '../errors.ts'
import { checkNoOthers } from '../origins.ts'
import type { Clock, Fetch } from '../ports.ts'
import { toDetails } from '../request/response-details.ts'
import { sleep } from '../request/sleep.ts'
import { type Answer, getValue, toReadError } from './api-error.ts'
import type { CallOptions } from './call-options.ts'

type Table = typeof operationTable

type Parameters<Id extends TokenOperationId> = (Operations[Id]['parameters'] extends { path: infer Path }
  ? { path: Path }
  : { path?: never }) & { query?: Operations[Id]['parameters']['query'] } & (Operations[Id] extends {
    requestBody: { content: { 'application/json': infer Body } }
  }
    ? { body: Body }
    : { body?: never })

type Responses<Id extends TokenOperationId> = Operations[Id]['responses']
type Value<Id extends TokenOperationId> = Responses<Id>[keyof Responses<Id> & (200 | 201 | 202 | 204)] extends {
  content: infer Media
}
  ? Media[keyof Media]
  : undefined

export type Call = <Id extends TokenOperationId>(
  operation: Id,
  method: Table[Id]['method'],
  path: Table[Id]['path'],
  parameters: Parameters<Id>,
  options?: CallOptions & { fetch?: Fetch | undefined },
) => Promise<Value<Id>>

export interface CallerOptions {
  raw: RawClient<paths>
  /** Sends the requests of calls without a `fetch` of their own. Default: that of `raw`. */
  fetch?: Fetch
  clock: Clock
  /** Default of the calls. */
  timeoutMs: number
}

/** Attempts of one call after 429 or 503, with the first. */
const maxAttempts = 3
/** Of a 32-bit timer. */
const longestMs = 2 ** 31 - 1

export function createCall({ raw, fetch: usualFetch, clock, timeoutMs: byDefault }: CallerOptions): Call {
  checkTimeout(byDefault)
  // `Call` has checked the types, which the compiler cannot follow through openapi-fetch's own for any operation.
  const request = raw.request as (method: string, path: string, init: object) => Promise<Answer>

  return async (
    operation,
    method,
    path,
    { body, ...params },
    { signal, timeoutMs = byDefault, fetch = usualFetch, ...others } = {},
  ) => {
    checkNoOthers(others, operation)
    checkTimeout(timeoutMs)
    checkPath(operation, params)
    signal?.throwIfAborted()
    const ending = new AbortController()
    const onAbort = () => ending.abort(signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    const endMs = clock.now() + timeoutMs
    const stopTimer = clock.startTimer(timeoutMs, () => {
      ending.abort(new ApiError('timeout', `${operation} took longer than ${timeoutMs} ms; try again later`))
    })
    const sending = fetch
      ? { fetch: (sent: Request) => fetch(sent, { signal: ending.signal }) }
      : { signal: ending.signal }
    const send = () => request(method, path, { params, body, ...sending })
    const isRepeatable = method === 'GET' || method === 'DELETE'
    try {
      // What the call waits for may not know the signal, such as a refresh that other calls wait for too.
      const answer = await abortable(isRepeatable ? repeat(send, ending.signal, endMs) : send(), ending.signal)
      return getValue(operation, answer, clock.now())
    } catch (cause) {
      throw ending.signal.aborted ? ending.signal.reason : toReadError(operation, cause)
    } finally {
      stopTimer()
      signal?.removeEventListener('abort', onAbort)
    }
  }

  async function repeat(send: () => Promise<Answer>, signal: AbortSignal, endMs: number): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await send()
      const { status } = answer.response
      if ((status !== 429 && status !== 503) || attempt === maxAttempts) return answer
      const { retryAfterMs } = toDetails(answer.response, clock.now())
      if (retryAfterMs === undefined || clock.now() + retryAfterMs >= endMs) return answer
      await sleep(clock, retryAfterMs, signal)
    }
  }
}

/** An empty parameter would make the path of another operation. */
function checkPath(operation: TokenOperationId, { path }: { path?: unknown }): void {
  for (const [name, value] of Object.entries(path ?? {})) {
    if (typeof value === 'string' && value !== '') continue
    throw new TypeError(`"${name}" of ${operation} must not be empty, got "${value}"`)
  }
}

function checkTimeout(timeoutMs: number): void {
  if (!(timeoutMs >= 1 && timeoutMs <= longestMs)) {
    throw new RangeError(`"timeoutMs" must be 1 to ${longestMs}, got ${timeoutMs}`)
  }
}
