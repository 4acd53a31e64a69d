/** What a user can store by signing in and by approving, filled to its bound and one past it. */
import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import type { UserPrincipal } from '../../src/http/operation/principal.ts'
import { createSessions } from '../../src/identity/people/session.ts'
import { createPortalSessions } from '../../src/portal/visit/session.ts'
import type { User } from '../../src/ports/storage/directory.ts'
import type { Store } from '../../src/ports/storage/store.ts'
import { aBrowser, formWith, serve } from '../identity/a-browser.ts'
import { anIdentity } from '../identity/an-identity.ts'
import { storages } from '../identity/stores.ts'

const user: User = { id: 'u', email: 'u@example.com', passwordHash: 'hash', accountId: 'acme', disabled: false }

const principal: UserPrincipal = {
  kind: 'user',
  userId: 'u',
  accountId: 'acme',
  clientId: 'c',
  tokenId: 't',
  scopes: [],
}

/** A store that knows which of the keys that were written are still there. */
function countKeys(store: Store) {
  const written = new Set<string>()
  const counted: Store = {
    ...store,
    put(key, value, ttlMs) {
      written.add(key)
      return store.put(key, value, ttlMs)
    },
    replace(key, expected, next, ttlMs) {
      written.add(key)
      return store.replace(key, expected, next, ttlMs)
    },
  }
  async function keys(start: string): Promise<number> {
    const ofKind = [...written].filter((key) => key.startsWith(start))
    const found = await Promise.all(ofKind.map((key) => store.get(key)))
    return found.filter((value) => value !== undefined).length
  }
  return { counted, keys }
}

describe.each(storages)('on $name', ({ open }) => {
  test('a user has 50 sessions, and the one seen longest ago leaves nothing behind', async () => {
    const clock = createManualClock()
    const { counted, keys } = countKeys((await open({ clock })).store)
    const revocations = { issuedAfter: async () => clock.now(), isRevoked: async () => false }
    const sessions = createSessions({ store: counted, clock, revocations, findUser: async () => user })
    const cookies: string[] = []
    for (let n = 0; n < 51; n++) {
      cookies.push(await sessions.begin(user, { address: '', cookies: undefined, userAgent: undefined }))
      await clock.advance(1)
    }

    expect([await keys('session:'), (await sessions.list(user)).length]).toEqual([50, 50])
    const visits = cookies.map((cookie) =>
      sessions.find({ address: '', cookies: cookie.split(';')[0], userAgent: undefined }),
    )
    expect((await Promise.all(visits)).filter((found) => found === undefined)).toHaveLength(1)
    expect(await visits[0]).toBeUndefined()
  })

  test('a user has 50 sessions of the portal, and the first one leaves nothing behind', async () => {
    const clock = createManualClock()
    const { counted, keys } = countKeys((await open({ clock })).store)
    const tokens = { findUser: async () => principal } as never
    const sessions = createPortalSessions({ store: counted, clock, tokens })
    const issued = { accessToken: 'a', refreshToken: 'r', expiresAtMs: clock.now() + 60_000 }
    const unsent = { userId: 'u', purpose: 'name:x', fields: { name: 'n' } }

    for (let n = 0; n < 51; n++) await sessions.begin(`secret ${n}`, issued, unsent)

    for (const kind of ['portal-session:', 'portal-owner:', 'portal-unsent:']) expect(await keys(kind)).toBe(50)
    expect(await keys('portal-sessions:')).toBe(1)
    expect([await sessions.has('secret 0'), await sessions.has('secret 1')]).toEqual([false, true])
  })

  test('a session of the portal that ends makes room for another', async () => {
    const clock = createManualClock()
    const { store } = await open({ clock })
    const tokens = { findUser: async () => principal, revoke: async () => {} } as never
    const sessions = createPortalSessions({ store, clock, tokens })
    const issued = { accessToken: 'a', refreshToken: 'r', expiresAtMs: clock.now() + 60_000 }
    for (let n = 0; n < 50; n++) await sessions.begin(`secret ${n}`, issued)
    await sessions.end({ secret: 'secret 49', principal })

    await sessions.begin('secret 50', issued)

    expect(await sessions.has('secret 0')).toBe(true)
  })

  test('a user decides about 600 authorization requests in an hour', async () => {
    const identity = await anIdentity({ open })
    const browser = aBrowser(await serve(identity))
    const page = await browser.signIn(await browser.authorize())
    const { action, hidden } = formWith(page, 'Deny')
    const deny = async () => (await browser.post(action, { ...hidden, decision: 'deny' })).status
    for (let n = 0; n < 600; n++) expect(await deny()).toBe(303)

    expect(await deny()).toBe(429)
  })
})
