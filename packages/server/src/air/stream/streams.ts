/**
 * Streams of the air picture, for the operation `followAir` and for the pages of the portal.
 * In: whose picture, what part of it, and from which event on. Out: server-sent events. The number of streams is
 * limited in total, per account, per address and per user. A stream ends when its caller may no longer read, within a
 * second, and when the server stops.
 */

import type { Box } from '@posrep/air'
import { createSlots } from '../../concurrency/slots.ts'
import { ApiError } from '../../errors.ts'
import type { EventOutput, EventStream } from '../../http/event-stream.ts'
import { sharesOf, toAccountKey } from '../../http/shares.ts'
import type { Clock } from '../../ports/clock.ts'
import type { AirPicture, AirPictures } from '../picture.ts'
import { createClientView } from './client-view.ts'
import { toEventText } from './event-text.ts'

export interface AskedStream {
  accountId: string
  userId: string
  /** Through trusted proxies only. */
  address: string
  box?: Box | undefined
  /** The ID of the last event that the client has received. */
  lastEventId?: string | undefined
  /** Called once a second. The stream ends when it rejects. */
  checkAccess(): Promise<unknown>
}

export interface AirStreams {
  /**
   * @throws ApiError `unavailable` when there are too many streams, the store does not answer, or the server is
   * stopping.
   */
  streamPicture(asked: AskedStream): Promise<EventStream>
}

export interface AirStreamsOptions {
  pictures: AirPictures
  clock: Clock
  /** Aborted when the server stops. Default: never. */
  stopping?: AbortSignal
}

const maxStreams = 500
const maxPerUser = 10
const checkEveryMs = 1_000
const keepAliveMs = 15_000
/** When a client connects again after the stream has ended. */
const retryMs = 2_000

export function createAirStreams({ pictures, clock, stopping }: AirStreamsOptions): AirStreams {
  const slots = createSlots()

  return {
    async streamPicture({ accountId, userId, address, box, lastEventId, checkAccess }) {
      if (stopping?.aborted) throw refuse('This process is stopping; connect again')
      const shares = sharesOf(maxStreams, { address, account: toAccountKey(accountId) })
      const acquired = slots.acquire({ ...shares, [`user ${userId}`]: maxPerUser })
      if (acquired.kind === 'full') throw refuse('Too many streams are open; close one, or try again later')
      try {
        const picture = await pictures.open(accountId)
        return {
          async run(output) {
            stopping?.addEventListener('abort', output.end, { once: true })
            const checking = endWithAccess(output, checkAccess)
            try {
              await follow(output, picture, box, lastEventId)
            } finally {
              output.end()
              acquired.release()
              stopping?.removeEventListener('abort', output.end)
              await checking
            }
          },
          cancel: acquired.release,
        }
      } catch (error) {
        acquired.release()
        throw error
      }
    },
  }

  async function follow(
    output: EventOutput,
    picture: AirPicture,
    box: Box | undefined,
    lastEventId: string | undefined,
  ): Promise<void> {
    let waiting = new AbortController()
    const wake = () => waiting.abort()
    output.ended.addEventListener('abort', wake)
    const stopWatching = picture.watch(wake)
    try {
      await output.write(`retry: ${retryMs}\n\n`)
      const view = createClientView(picture, box, lastEventId)
      while (!output.ended.aborted) {
        if (view.isCurrent()) await output.write(': keep-alive\n\n')
        else await writeFrame(output, view)
        waiting = new AbortController()
        if (view.isCurrent() && !output.ended.aborted) await clock.sleep(keepAliveMs, waiting.signal)
      }
    } finally {
      stopWatching()
    }
  }

  async function endWithAccess(output: EventOutput, checkAccess: AskedStream['checkAccess']): Promise<void> {
    for (;;) {
      await clock.sleep(checkEveryMs, output.ended)
      if (output.ended.aborted) return
      try {
        await checkAccess()
      } catch {
        // The client connects again and gets the refusal as an answer.
        return output.end()
      }
    }
  }
}

async function writeFrame(output: EventOutput, view: ReturnType<typeof createClientView>): Promise<void> {
  const frame = view.next()
  for (const text of toEventText(frame, view.eventId())) {
    await output.write(text)
    if (output.ended.aborted) return
  }
}

function refuse(message: string): ApiError {
  return new ApiError('unavailable', message, { headers: { 'Retry-After': '10' } })
}
