/**
 * Sends a typed call: within its time, ended by its signal, repeated when the service asks for it.
 * In: an operation and a function that sends it. Out: its answer, or a PosrepError; the reason of the caller's signal.
 */
import type { OperationId } from '@posrep/spec'
import { operationTable } from '@posrep/spec/operations'
import { ApiError } from '../errors.ts'
import type { Clock } from '../ports.ts'
import { toDetails } from '../request/response-details.ts'
import { sleep } from '../request/sleep.ts'
import { type Answer, toReadError } from './api-error.ts'
import type { CallOptions } from './client.ts'

export interface CallerOptions {
  clock: Clock
  /** Default of the calls. */
  timeoutMs: number
}

export type Caller = <T>(
  operation: OperationId,
  options: CallOptions,
  send: (signal: AbortSignal) => Promise<Answer<T>>,
) => Promise<Answer<T>>

/** Attempts of one call after 429 or 503, with the first. */
const maxAttempts = 3
/** Of a 32-bit timer. */
const longestMs = 2 ** 31 - 1

export function createCaller({ clock, timeoutMs: byDefault }: CallerOptions): Caller {
  checkTimeout(byDefault)

  return async (operation, { signal, timeoutMs = byDefault }, send) => {
    checkTimeout(timeoutMs)
    signal?.throwIfAborted()
    const ending = new AbortController()
    const end = () => ending.abort(signal?.reason)
    signal?.addEventListener('abort', end, { once: true })
    const stopTimer = clock.startTimer(timeoutMs, () => {
      ending.abort(new ApiError('timeout', `${operation} took longer than ${timeoutMs} ms; try again later`))
    })
    try {
      return await sendRepeatedly(operation, send, ending.signal, clock.now() + timeoutMs)
    } catch (cause) {
      throw ending.signal.aborted ? ending.signal.reason : toReadError(operation, cause)
    } finally {
      stopTimer()
      signal?.removeEventListener('abort', end)
    }
  }

  async function sendRepeatedly<T>(
    operation: OperationId,
    send: (signal: AbortSignal) => Promise<Answer<T>>,
    signal: AbortSignal,
    endMs: number,
  ): Promise<Answer<T>> {
    const { method } = operationTable[operation]
    const isRepeatable = method === 'GET' || method === 'DELETE'
    for (let attempt = 1; ; attempt += 1) {
      const answer = await send(signal)
      const { status } = answer.response
      if ((status !== 429 && status !== 503) || !isRepeatable || attempt === maxAttempts) return answer
      const { retryAfterMs } = toDetails(answer.response, clock.now())
      if (retryAfterMs === undefined || clock.now() + retryAfterMs >= endMs) return answer
      await sleep(clock, retryAfterMs, signal)
    }
  }
}

function checkTimeout(timeoutMs: number): void {
  if (!(timeoutMs >= 1 && timeoutMs <= longestMs)) {
    throw new RangeError(`"timeoutMs" must be 1 to ${longestMs}, got ${timeoutMs}`)
  }
}
