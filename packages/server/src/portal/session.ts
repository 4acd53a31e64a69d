/**
 * Who is signed in at the portal: the tokens that the identity provider gave to it, kept on the server for 12 hours.
 * In: a browser's cookies. Out: the user behind a token that is valid now; a token that ran out is refreshed, and a
 * session whose refresh is refused has ended.
 */

import type { UserPrincipal } from '../http/principal.ts'
import { cookieAttributes, findCookie } from '../identity/cookies.ts'
import { OAuthError } from '../identity/oauth-error.ts'
import { hashSecret, randomSecret } from '../identity/secrets.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import type { TokenClient, Tokens } from './token-client.ts'

interface StoredSession extends Tokens {
  endsAtMs: number
}

export interface PortalSession {
  /** What is in the cookie; forms are bound to it. */
  secret: string
  principal: UserPrincipal
}

/** A form that changed nothing, since its session had ended. */
export interface Unsent {
  /** Whose session it was; nobody else gets it back. */
  userId: string
  /** As its token has it. */
  purpose: string
  fields: Record<string, string>
}

export interface PortalSessions {
  /** Answers the cookie to set. @param unsent For `findUnsent`. */
  begin(tokens: Tokens, unsent?: Unsent): Promise<string>
  find(cookies: string | undefined): Promise<PortalSession | undefined>
  /** Also of a session that has ended by itself: whose it was, and the secret to which its forms are bound. */
  findOwner(cookies: string | undefined): Promise<{ secret: string; userId: string } | undefined>
  /** What the same user typed into the form of this purpose, which came when there was no session, and led to this one. */
  findUnsent(session: PortalSession, purpose: string): Promise<Unsent['fields'] | undefined>
  /** Revokes its tokens; answers the cookie that forgets it. */
  end(session: PortalSession): Promise<string>
}

export interface PortalSessionsOptions {
  store: Store
  clock: Clock
  tokens: TokenClient
}

const cookieName = '__Host-posrep-portal'
const ttlMs = 12 * 60 * 60_000
/** The cookie outlives its session, so that a form which was open when that ended is known to be ours. */
const cookieMs = 7 * 24 * 60 * 60_000
const unsentTtlMs = 30 * 60_000
/** A token is not used in its last moments. */
const freshMs = 10_000

export function createPortalSessions({ store, clock, tokens }: PortalSessionsOptions): PortalSessions {
  async function refreshed(key: string, stored: StoredSession): Promise<StoredSession | undefined> {
    try {
      const next = { ...(await tokens.refresh(stored.refreshToken)), endsAtMs: stored.endsAtMs }
      // Of two requests at once both were given the same pair.
      await store.replace(key, stored, next, Math.max(1, stored.endsAtMs - clock.now()))
      return next
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      await store.delete(key)
      return undefined
    }
  }

  return {
    async begin(given, unsent) {
      const secret = randomSecret()
      const stored: StoredSession = { ...given, endsAtMs: clock.now() + ttlMs }
      await store.put(toKey(secret), stored, ttlMs)
      const principal = await tokens.findUser(given.accessToken)
      if (principal) await store.put(toOwnerKey(secret), principal.userId, cookieMs)
      if (unsent) await store.put(toUnsentKey(secret), unsent, unsentTtlMs)
      return `${cookieName}=${secret}; Max-Age=${cookieMs / 1_000}; ${cookieAttributes}`
    },

    async find(cookies) {
      const secret = findCookie(cookies, cookieName)
      if (secret === undefined) return undefined
      const stored = await store.get<StoredSession>(toKey(secret))
      if (!stored || stored.endsAtMs <= clock.now()) return undefined
      const live = stored.expiresAtMs - freshMs > clock.now() ? stored : await refreshed(toKey(secret), stored)
      const principal = live && (await tokens.findUser(live.accessToken))
      return principal && { secret, principal }
    },

    async findOwner(cookies) {
      const secret = findCookie(cookies, cookieName)
      const userId = secret === undefined ? undefined : await store.get<string>(toOwnerKey(secret))
      return secret === undefined || userId === undefined ? undefined : { secret, userId }
    },

    async findUnsent({ secret, principal }, purpose) {
      const unsent = await store.get<Unsent>(toUnsentKey(secret))
      return unsent?.purpose === purpose && unsent.userId === principal.userId ? unsent.fields : undefined
    },

    async end({ secret }) {
      const stored = await store.take<StoredSession>(toKey(secret))
      await store.delete(toOwnerKey(secret))
      if (stored) await tokens.revoke(stored.refreshToken)
      return `${cookieName}=; Max-Age=0; ${cookieAttributes}`
    },
  }
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
