/**
 * The visits of this app's users: one per browser, known by a random cookie.
 * In: a request. Out: the visit's Posrep, whose tokens are in Keyv; the browser gets none of them.
 */
import { randomUUID } from 'node:crypto'
import KeyvRedis from '@keyv/redis'
import { createPosrep, type PendingLogin, type Posrep } from '@posrep/client-sdk'
import { keyvTokenStore } from '@posrep/client-sdk/keyv'
import type { Request, Response } from 'express'
import { Keyv } from 'keyv'

export interface Visit {
  posrep: Posrep
  /** The sign-in that waits for its callback. */
  keepPending(pending: PendingLogin): Promise<void>
  takePending(): Promise<PendingLogin | undefined>
}

const { REDIS_URL } = process.env

/**
 * In Redis, every process of this app finds the visits, and a restart ends none. An outage must be an error: as "not
 * found" it would sign users out.
 */
const keyv = new Keyv({
  ...(REDIS_URL && { store: new KeyvRedis(REDIS_URL, { throwOnErrors: true, throwOnConnectError: true }) }),
  namespace: 'web-app',
  // Redis gets the namespace from the adapter; Keyv would add it a second time.
  useKeyPrefix: false,
  throwOnErrors: true,
})

const cookieName = 'visit'
const tenMinutesMs = 10 * 60_000

/** The visit of the browser's cookie; without one, a new visit. */
export function visitOf(request: Request, response: Response): Visit {
  const id: unknown = request.cookies[cookieName]
  return typeof id === 'string' ? openVisit(id) : newVisit(response)
}

/** A new cookie, for a browser that signs in: what knew the old one is not signed in. */
export function newVisit(response: Response): Visit {
  const id = randomUUID()
  // A deployment uses HTTPS, and adds `secure: true`.
  response.cookie(cookieName, id, { httpOnly: true, sameSite: 'lax' })
  return openVisit(id)
}

function openVisit(id: string): Visit {
  const pendingKey = `pending:${id}`
  return {
    posrep: createPosrep({
      origin: process.env.POSREP_ORIGIN ?? 'https://localhost:8443',
      clientId: 'demo-web-app',
      clientSecret: 'demo-web-app-secret',
      redirectUri: 'http://localhost:3000/callback',
      tokenStore: keyvTokenStore({ keyv, key: `tokens:${id}` }),
    }),
    async keepPending(pending) {
      await keyv.set(pendingKey, pending, tenMinutesMs)
    },
    async takePending() {
      const pending = await keyv.get<PendingLogin>(pendingKey)
      await keyv.delete(pendingKey)
      return pending
    },
  }
}
