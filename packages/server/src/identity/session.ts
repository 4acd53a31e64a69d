/**
 * Who is signed in in a browser: a cookie with a random id, and the session under its hash. 12 hours, new at each sign-in.
 * A second cookie is the browser's own secret, to which authorization requests and forms are bound.
 */
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { hashSecret, randomSecret } from './secrets.ts'

export interface Session {
  userId: string
  createdAtMs: number
  expiresAtMs: number
}

export interface Sessions {
  /** Ends the session that the browser had and begins one; answers the cookie to set. */
  begin(userId: string, cookies: string | undefined): Promise<string>
  find(cookies: string | undefined): Promise<Session | undefined>
  /** Answers the cookie that forgets it. */
  end(cookies: string | undefined): Promise<string>
}

const sessionTtlMs = 12 * 60 * 60_000
const sessionName = '__Host-posrep-session'
const browserName = '__Host-posrep-browser'
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'

export function createSessions({ store, clock }: { store: Store; clock: Clock }): Sessions {
  async function forget(cookies: string | undefined): Promise<void> {
    const id = findCookie(cookies, sessionName)
    if (id !== undefined) await store.delete(toKey(id))
  }

  return {
    async begin(userId, cookies) {
      await forget(cookies)
      const id = randomSecret()
      const now = clock.now()
      const session: Session = { userId, createdAtMs: now, expiresAtMs: now + sessionTtlMs }
      await store.put(toKey(id), session, sessionTtlMs)
      return `${sessionName}=${id}; Max-Age=${sessionTtlMs / 1000}; ${attributes}`
    },
    async find(cookies) {
      const id = findCookie(cookies, sessionName)
      const session = id === undefined ? undefined : await store.get<Session>(toKey(id))
      return session && clock.now() < session.expiresAtMs ? session : undefined
    },
    async end(cookies) {
      await forget(cookies)
      return `${sessionName}=; Max-Age=0; ${attributes}`
    },
  }
}

export function findBrowserSecret(cookies: string | undefined): string | undefined {
  return findCookie(cookies, browserName)
}

/** A new secret with the cookie that keeps it until the browser is closed. */
export function createBrowserSecret(): { secret: string; cookie: string } {
  const secret = randomSecret()
  return { secret, cookie: `${browserName}=${secret}; ${attributes}` }
}

/** Both cookies hold 256 bits, base64url; anything else is not ours. */
function findCookie(cookies: string | undefined, name: string): string | undefined {
  for (const cookie of cookies?.split(';') ?? []) {
    const [key, value = ''] = cookie.trim().split('=', 2)
    if (key === name && /^[A-Za-z0-9_-]{43}$/.test(value)) return value
  }
  return undefined
}

function toKey(id: string): string {
  return `session:${hashSecret(id)}`
}
