/**
 * Follows the air picture of the user's account.
 * In: a client. Out: the picture, first as it is, then after each change, about once a second. After an interruption it
 * continues where it was, or begins with the whole picture.
 * See the document, operation followAir.
 */
import type { AirFrame } from '@posrep/spec'
import { getValue, toReadError } from '../calls/api-error.ts'
import type { Client } from '../calls/client.ts'
import { isPassing } from '../calls/passing-failure.ts'
import { ApiError, type PosrepError } from '../errors.ts'
import { checkNoOthers } from '../origins.ts'
import { type Clock, type Random, systemClock, systemRandom } from '../ports.ts'
import { sleep } from '../request/sleep.ts'
import { createFollowedAir, type FollowedAir } from './followed-air.ts'
import { readEvents } from './read-events.ts'

export interface FollowAirOptions {
  /** Only tracks in this box: west, south, east, north in degrees. Default: all. */
  bbox?: string | undefined
  /** Ends the iteration, without an error. */
  signal?: AbortSignal | undefined
  /**
   * Called before it connects again after `pauseMs`, for a message such as "The connection is lost". Without an error:
   * the stream ended or broke off.
   */
  onInterrupted?: ((pauseMs: number, error: PosrepError | undefined) => void) | undefined
  /** Default: the system clock. */
  clock?: Clock
  /** Default: `Math.random`. */
  random?: Random
}

/** The service sends a comment after 15 s without an event. */
const silentMs = 45_000
const longestPauseMs = 60_000

/**
 * It connects again when the stream ends or is silent for 45 s; after failures less often, at most a minute apart, or
 * as `Retry-After` says. While you do not ask for the next picture nothing is read, and changes are merged.
 *
 * @throws PosrepError every other failure: `not_found` when the air picture is switched off, `invalid_request` for a
 * wrong `bbox`, `login_required`
 * @example
 * ```ts
 * import type { Posrep } from '@posrep/client-sdk'
 * import { followAir } from '@posrep/client-sdk/air'
 *
 * export async function print(posrep: Posrep, signal: AbortSignal) {
 *   for await (const { tracks } of followAir(posrep, { signal })) console.log(tracks.size, 'targets')
 * }
 * ```
 */
export async function* followAir(
  { raw }: Pick<Client, 'raw'>,
  { bbox, signal, onInterrupted, clock = systemClock, random = systemRandom, ...others }: FollowAirOptions = {},
): AsyncGenerator<FollowedAir, void, void> {
  checkNoOthers(others, 'followAir')
  const apply = createFollowedAir()
  let lastEventId: string | undefined
  let retryMs = 2_000
  let failures = 0

  while (!signal?.aborted) {
    let failure: PosrepError | undefined
    const connection = new AbortController()
    const onAbort = () => connection.abort(signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      const body = await connect(connection)
      for await (const { event, data, id } of readEvents(body, { clock, silentMs, onRetry })) {
        if (event !== 'frame') continue
        const frame = toFrame(data)
        lastEventId = id
        failures = 0
        yield apply(frame)
      }
    } catch (error) {
      if (signal?.aborted) return
      if (!isPassing(error)) throw error
      failure = error
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
    const ownPauseMs = Math.min(retryMs * 2 ** failures, longestPauseMs) * (0.5 + random() / 2)
    const pauseMs = Math.max(ownPauseMs, failure?.retryAfterMs ?? 0)
    failures += 1
    if (signal?.aborted) return
    onInterrupted?.(pauseMs, failure)
    await sleep(clock, pauseMs, signal).catch(() => {}) // the signal ends the loop
  }

  async function connect(connection: AbortController): Promise<ReadableStream<Uint8Array>> {
    const stopTimer = clock.startTimer(silentMs, () => {
      connection.abort(new ApiError('timeout', `followAir had no answer for ${silentMs} ms; it tries again`))
    })
    try {
      const answer = await raw.GET('/v1/air/stream', {
        params: {
          query: bbox === undefined ? {} : { bbox },
          header: lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId },
        },
        headers: { accept: 'text/event-stream' },
        parseAs: 'stream',
        signal: connection.signal,
      })
      return getValue('followAir', answer, clock.now())
    } finally {
      stopTimer()
    }
  }

  function onRetry(ms: number): void {
    retryMs = Math.min(ms, longestPauseMs)
  }
}

/** @throws ApiError `unexpected_answer` */
function toFrame(data: string): AirFrame {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw toReadError('followAir', cause)
  }
}
