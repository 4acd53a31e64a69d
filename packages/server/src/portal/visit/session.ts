/**
 * The portal's sessions. Each keeps the user's tokens on the server for 12 hours, under a secret in the browser's
 * cookie.
 * In: cookies. Out: the signed-in user. An access token that is about to expire is refreshed; when the refresh token is
 * refused, the session ends.
 */

import type { UserPrincipal } from '../../http/operation/principal.ts'
import { OAuthError } from '../../identity/oauth-error.ts'
import type { Clock } from '../../ports/clock.ts'
import { changeStored, type Store } from '../../ports/storage/store.ts'
import { hashSecret } from '../../secrets.ts'
import { cookieAttributes, findCookie } from '../../web/cookies.ts'
import type { KeptFields } from './kept-fields.ts'
import type { TokenClient, Tokens } from './token-client.ts'

interface StoredSession extends Tokens {
  endsAtMs: number
}

export interface PortalSession {
  /** The secret in the cookie. Form tokens are derived from it. */
  secret: string
  principal: UserPrincipal
}

/** A form that was submitted after its session had ended. It changed nothing and is offered again after sign-in. */
export interface Unsent {
  /** The user of the ended session. No other user sees the form. */
  userId: string
  /** The purpose in the form's token. */
  purpose: string
  fields: KeptFields
}

export interface PortalSessions {
  /** @param secret For the cookie. @param unsent Kept for `findUnsent`. */
  begin(secret: string, tokens: Tokens, unsent?: Unsent): Promise<void>
  /** Whether the session began and has not ended. */
  has(secret: string): Promise<boolean>
  find(cookies: string | undefined): Promise<PortalSession | undefined>
  /** The user and the secret of a session, also of one that has expired. */
  findOwner(cookies: string | undefined): Promise<{ secret: string; userId: string } | undefined>
  /** Keeps a form of an ended session for half an hour. A session has one such form, the last. */
  keepUnsent(ended: { secret: string }, unsent: Unsent): Promise<void>
  /** The form that was kept for the session of these cookies. */
  takeUnsent(cookies: string | undefined): Promise<Unsent | undefined>
  /** The fields of the unsent form with this purpose, if the same user has signed in. */
  findUnsent(session: PortalSession, purpose: string): Promise<Unsent['fields'] | undefined>
  /** Revokes the tokens; returns the cookie that removes the session from the browser. */
  end(session: PortalSession): Promise<string>
}

export interface PortalSessionsOptions {
  store: Store
  clock: Clock
  tokens: TokenClient
}

const cookieName = '__Host-posrep-portal'
const ttlMs = 12 * 60 * 60_000
/** The cookie outlives the session, so that the token of a form that was still open can be checked. */
const cookieMs = 7 * 24 * 60 * 60_000
/** Sessions of a user, as many as of the sign-in itself; the one that began first is removed. */
const maxPerUser = 50
const unsentTtlMs = 30 * 60_000
/** An access token is refreshed this long before it expires. */
const refreshMarginMs = 10_000

export function createPortalSessions({ store, clock, tokens }: PortalSessionsOptions): PortalSessions {
  async function refresh(key: string, stored: StoredSession): Promise<StoredSession | undefined> {
    try {
      const next = { ...(await tokens.refresh(stored.refreshToken)), endsAtMs: stored.endsAtMs }
      // Two concurrent requests get the same token pair, so it does not matter which of them is stored.
      await store.replace(key, stored, next, Math.max(1, stored.endsAtMs - clock.now()))
      return next
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      await store.delete(key)
      return undefined
    }
  }

  async function keepUnsent({ secret }: { secret: string }, unsent: Unsent): Promise<void> {
    await store.put(toUnsentKey(secret), unsent, unsentTtlMs)
  }

  /**
   * Removes the oldest sessions of a user who has too many, so that signing in again and again does not fill the
   * storage.
   */
  async function addToUser(userId: string, secret: string): Promise<void> {
    const added = hashSecret(secret)
    let removed: string[] = []
    await changeStored<string[]>(
      store,
      toListKey(userId),
      (ids = []) => {
        const next = [added, ...ids.filter((id) => id !== added)]
        removed = next.splice(maxPerUser)
        return next
      },
      cookieMs,
    )
    const keysOf = (id: string) => [`portal-session:${id}`, `portal-owner:${id}`, `portal-unsent:${id}`]
    await Promise.all(removed.flatMap(keysOf).map(store.delete))
  }

  async function removeFromUser(userId: string, secret: string): Promise<void> {
    const ended = hashSecret(secret)
    const toNext = (ids: string[] | undefined) => ids?.filter((id) => id !== ended)
    await changeStored(store, toListKey(userId), toNext, cookieMs)
  }

  return {
    async begin(secret, issued, unsent) {
      const stored: StoredSession = { ...issued, endsAtMs: clock.now() + ttlMs }
      const principal = await tokens.findUser(issued.accessToken)
      if (principal) await addToUser(principal.userId, secret)
      await store.put(toKey(secret), stored, ttlMs)
      if (principal) await store.put(toOwnerKey(secret), principal.userId, cookieMs)
      if (unsent) await keepUnsent({ secret }, unsent)
    },

    async has(secret) {
      const stored = await store.get<StoredSession>(toKey(secret))
      return stored !== undefined && stored.endsAtMs > clock.now()
    },

    async find(cookies) {
      const secret = findCookie(cookies, cookieName)
      if (secret === undefined) return undefined
      const stored = await store.get<StoredSession>(toKey(secret))
      if (!stored || stored.endsAtMs <= clock.now()) return undefined
      const isFresh = stored.expiresAtMs - refreshMarginMs > clock.now()
      const live = isFresh ? stored : await refresh(toKey(secret), stored)
      const principal = live && (await tokens.findUser(live.accessToken))
      return principal && { secret, principal }
    },

    async findOwner(cookies) {
      const secret = findCookie(cookies, cookieName)
      const userId = secret === undefined ? undefined : await store.get<string>(toOwnerKey(secret))
      return secret === undefined || userId === undefined ? undefined : { secret, userId }
    },

    keepUnsent,
    async takeUnsent(cookies) {
      const secret = findCookie(cookies, cookieName)
      return secret === undefined ? undefined : store.take<Unsent>(toUnsentKey(secret))
    },

    async findUnsent({ secret, principal }, purpose) {
      const unsent = await store.get<Unsent>(toUnsentKey(secret))
      return unsent?.purpose === purpose && unsent.userId === principal.userId ? unsent.fields : undefined
    },

    async end({ secret, principal }) {
      await removeFromUser(principal.userId, secret)
      const stored = await store.take<StoredSession>(toKey(secret))
      await store.delete(toOwnerKey(secret))
      if (stored) await tokens.revoke(stored.refreshToken)
      return `${cookieName}=; Max-Age=0; ${cookieAttributes}`
    },
  }
}

export function toPortalCookie(secret: string): string {
  return `${cookieName}=${secret}; Max-Age=${cookieMs / 1_000}; ${cookieAttributes}`
}

function toListKey(userId: string): string {
  return `portal-sessions:${userId}`
}

function toKey(secret: string): string {
  return `portal-session:${hashSecret(secret)}`
}

function toOwnerKey(secret: string): string {
  return `portal-owner:${hashSecret(secret)}`
}

function toUnsentKey(secret: string): string {
  return `portal-unsent:${hashSecret(secret)}`
}
