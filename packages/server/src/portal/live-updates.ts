/**
 * Tells open pages by server-sent events that their content has changed; the page then reloads its live parts.
 * In: a function that reads what the page shows, called once a second. Out: `changed` at the start and at every difference,
 * `same` as a keep-alive. The number of streams is limited in total, per account, per address and per user. A stream ends
 * with its session.
 */
import type { Response } from 'express'
import { createSlots } from '../concurrency/slots.ts'
import { ApiError } from '../errors.ts'
import { sharesOf } from '../http/shares.ts'
import type { Clock } from '../ports/clock.ts'
import { hashSecret } from '../secrets.ts'
import type { Visitor } from '../web/cookies.ts'
import type { Visit, Visits } from './visit/visit.ts'

export interface LiveUpdates {
  /** Sends events until the browser disconnects; answers 403 without a session, 503 when there are too many streams. */
  stream(visitor: Visitor, response: Response, watch: (visit: Visit) => Promise<unknown>): Promise<void>
}

const pollEveryMs = 1_000
const pollsPerKeepAlive = 15
const maxStreams = 500
const maxPerUser = 10

export function createLiveUpdates({ visits, clock }: { visits: Visits; clock: Clock }): LiveUpdates {
  const streams = createSlots()

  async function run(visitor: Visitor, response: Response, watch: (visit: Visit) => Promise<unknown>): Promise<void> {
    const closed = new AbortController()
    response.once('close', () => closed.abort())
    let before: string | undefined
    for (let poll = 0; !closed.signal.aborted; poll++) {
      // The session is looked up each time, because it may have ended.
      const visit = await visits.find(visitor)
      if (!visit) return
      const now = hashSecret(JSON.stringify(await watch(visit)))
      // The first poll sends `changed` too: the content may have changed since the page was made, or while the
      // connection was lost.
      if (now !== before) response.write('event: changed\ndata:\n\n')
      else if (poll % pollsPerKeepAlive === 0) response.write('event: same\ndata:\n\n')
      before = now
      await clock.sleep(pollEveryMs, closed.signal)
    }
  }

  return {
    async stream(visitor, response, watch) {
      const visit = await visits.find(visitor)
      if (!visit) return void response.status(403).end()
      const { userId, accountId } = visit.session.principal
      const shares = sharesOf(maxStreams, { address: visitor.address, account: `account ${accountId}` })
      const acquired = streams.acquire({ ...shares, [`user ${userId}`]: maxPerUser })
      if (acquired.kind === 'full') return void response.status(503).set('Retry-After', '10').end()
      response.writeHead(200, {
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
        'X-Content-Type-Options': 'nosniff',
      })
      try {
        await run(visitor, response, watch)
      } catch (error) {
        // The store is unavailable or the device is gone. The browser reconnects, and the page shows the error.
        if (!(error instanceof ApiError)) throw error
      } finally {
        acquired.release()
        response.end()
      }
    },
  }
}
