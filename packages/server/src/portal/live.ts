/**
 * Tells open pages that what they show has changed, as server-sent events; the page then fetches itself.
 * In: what a page depends on, asked once a second. Out: `changed` at first and when it differs from what it was, `same` as a
 * sign of life. The streams are few per session and bounded in all; one whose session ends, ends.
 */
import { createHash } from 'node:crypto'
import type { Response } from 'express'
import { ApiError } from '../errors.ts'
import type { Visitor } from '../identity/cookies.ts'
import type { Clock } from '../ports/clock.ts'
import type { Visit, Visits } from './visit.ts'

export interface Live {
  /** Answers with a stream until the browser leaves; 403 without a session, 503 when there are too many streams. */
  stream(visitor: Visitor, response: Response, watch: (visit: Visit) => Promise<unknown>): Promise<void>
}

const lookEveryMs = 1_000
const lifeSignEveryLooks = 15
const maxStreams = 500
const maxPerUser = 10

export function createLive({ visits, clock }: { visits: Visits; clock: Clock }): Live {
  const streams = new Map<string, number>()
  let all = 0

  function enter(userId: string): boolean {
    const own = streams.get(userId) ?? 0
    if (all >= maxStreams || own >= maxPerUser) return false
    all++
    streams.set(userId, own + 1)
    return true
  }

  function leave(userId: string): void {
    all--
    const own = (streams.get(userId) ?? 1) - 1
    if (own === 0) streams.delete(userId)
    else streams.set(userId, own)
  }

  async function run(visitor: Visitor, response: Response, watch: (visit: Visit) => Promise<unknown>): Promise<void> {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    let before: string | undefined
    for (let look = 0; !gone.signal.aborted; look++) {
      // Looked up each time: a session that was ended shows nothing any more.
      const visit = await visits.find(visitor)
      if (!visit) return
      const now = toDigest(await watch(visit))
      // At the first look, too: it may have changed since the page was made, or while the link was lost.
      if (now !== before) response.write('event: changed\ndata:\n\n')
      else if (look % lifeSignEveryLooks === 0) response.write('event: same\ndata:\n\n')
      before = now
      await clock.sleep(lookEveryMs, gone.signal)
    }
  }

  return {
    async stream(visitor, response, watch) {
      const visit = await visits.find(visitor)
      if (!visit) return void response.status(403).end()
      const { userId } = visit.session.principal
      if (!enter(userId)) return void response.status(503).set('Retry-After', '10').end()
      response.writeHead(200, {
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
        'X-Content-Type-Options': 'nosniff',
      })
      try {
        await run(visitor, response, watch)
      } catch (error) {
        // The store is away, or the thing is gone: the browser comes again, and the page says what is.
        if (!(error instanceof ApiError)) throw error
      } finally {
        leave(userId)
        response.end()
      }
    },
  }
}

function toDigest(seen: unknown): string {
  return createHash('sha256').update(JSON.stringify(seen)).digest('base64url')
}
