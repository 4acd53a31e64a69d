/**
 * Sends the changes of open pages by server-sent events.
 * In: a function that makes the page, and a value that changes when the page may have changed, read once a second for
 * all streams of an account that show the page. Out: `parts`,
 * with the live parts whose content has changed since they were last sent; `same` as a keep-alive; both with the
 * server's time; `gone` when the page is no longer shown. Compressed where the browser takes it. The number of streams
 * is limited in total, per account, per address and per user. A stream ends with its session.
 */
import type { Response } from 'express'
import { createSlots } from '../concurrency/slots.ts'
import { ApiError } from '../errors.ts'
import { openEventStream } from '../http/event-stream.ts'
import { sharesOf, toAccountKey } from '../http/shares.ts'
import type { PageAnswer } from '../pages/answer.ts'
import type { Clock } from '../ports/clock.ts'
import { hashSecret } from '../secrets.ts'
import type { Visitor } from '../web/cookies.ts'
import { createChanges } from './changes.ts'
import type { PortalPage } from './layout/portal-layout.tsx'
import { createLiveReads } from './live-reads.ts'
import type { Visit, Visits } from './visit/visit.ts'

export interface LivePage {
  /** The page as it is now, or was a second ago. */
  show(visit: Visit): Promise<PortalPage | PageAnswer>
  watch(visit: Visit): Promise<unknown>
}

export interface LiveUpdates {
  /**
   * Sends events until the browser disconnects; answers 403 without a session, 503 when there are too many streams.
   * @param address Of the page: streams of the same address show the same.
   */
  stream(visitor: Visitor, response: Response, page: LivePage, address: string): Promise<void>
}

const pollEveryMs = 1_000
const pollsPerKeepAlive = 15
const maxStreams = 500
const maxPerUser = 10

export function createLiveUpdates({ visits, clock }: { visits: Visits; clock: Clock }): LiveUpdates {
  const streams = createSlots()
  const reads = createLiveReads({ clock })

  /** The page, or what it depends on, made once for all streams that ask for the same. */
  function make<T>(visit: Visit, name: string, toResult: (visit: Visit) => Promise<T>): Promise<T> {
    const { accountId } = visit.session.principal
    const share: Visit['share'] = (part, read) => reads.share(`${accountId} ${part}`, read)
    return reads.share(name, () => reads.inTurn(accountId, () => toResult({ ...visit, share })))
  }

  async function run(visitor: Visitor, send: Send, closed: AbortSignal, page: LivePage, address: string) {
    const changes = createChanges()
    let before: string | undefined
    for (let poll = 0; !closed.aborted; poll++) {
      // The session is looked up each time, because it may have ended.
      const visit = await visits.find(visitor)
      if (!visit) return send('gone')
      const isKeepAlive = poll % pollsPerKeepAlive === 0
      const { principal, secret } = visit.session
      const now = await make(visit, `${principal.accountId} ${address}`, async (shared) =>
        hashSecret(JSON.stringify(await page.watch(shared))),
      )
      // What depends on the time, such as a device that has become silent, changes without an event.
      if (now !== before || isKeepAlive) {
        // Its forms have tokens of the session.
        const shown = await make(visit, `${secret} ${address} ${now}`, page.show)
        if (!('live' in shown)) return send('gone')
        const changed = changes.since(shown.live)
        const nowMs = clock.now()
        if (changed) await send('parts', { nowMs, ...changed })
        else if (isKeepAlive) await send('same', { nowMs })
      }
      before = now
      await clock.sleep(pollEveryMs, closed)
    }
  }

  return {
    async stream(visitor, response, page, address) {
      const visit = await visits.find(visitor)
      if (!visit) return void response.status(403).end()
      const { userId, accountId } = visit.session.principal
      const shares = sharesOf(maxStreams, { address: visitor.address, account: toAccountKey(accountId) })
      const acquired = streams.acquire({ ...shares, [`user ${userId}`]: maxPerUser })
      if (acquired.kind === 'full') return void response.status(503).set('Retry-After', '10').end()
      try {
        const { write, end, ended } = openEventStream(response)
        const send: Send = (event, data) => write(`event: ${event}\ndata:${data ? ` ${JSON.stringify(data)}` : ''}\n\n`)
        await run(visitor, send, ended, page, address).catch(rethrowUnexpected)
        end()
      } finally {
        acquired.release()
      }
    },
  }
}

/** The store is unavailable or the device is gone. The browser reconnects, and the page shows the error. */
function rethrowUnexpected(error: unknown): void {
  if (!(error instanceof ApiError)) throw error
}

type Send = (event: 'parts' | 'same' | 'gone', data?: object) => Promise<void>
