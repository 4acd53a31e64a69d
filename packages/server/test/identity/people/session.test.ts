/**
 * The sessions of a user are one record: concurrent changes neither lose a session nor keep an ended one, on every
 * storage.
 */
import { describe, expect, test } from 'vitest'
import { createSessions } from '../../../src/identity/people/session.ts'
import { createUsers } from '../../../src/identity/people/users.ts'
import { createRevocations } from '../../../src/identity/revocation/revocations.ts'
import type { User } from '../../../src/ports/storage/directory.ts'
import { anIdentity, type IdentityStorage, pilot } from '../an-identity.ts'
import { storages } from '../stores.ts'

const visitor = { cookies: undefined, address: '192.0.2.7', userAgent: 'Firefox' }
const asBrowser = (cookie: string) => ({ ...visitor, cookies: cookie.slice(0, cookie.indexOf(';')) })

async function someSessions(open: (typeof storages)[number]['open']) {
  const identity = await anIdentity({ open })
  const { clock } = identity
  const over = ({ store, directory, revocationFeed }: IdentityStorage) => {
    const { find } = createUsers({ directory })
    return createSessions({
      store,
      clock,
      revocations: createRevocations({ feed: revocationFeed, clock }),
      findUser: find,
    })
  }
  const user = await identity.directory.find('user', pilot.id)
  if (!user) throw new Error('No user')
  return { identity, user, sessions: over(identity), elsewhere: over(identity) }
}

describe.each(storages)('on $name', ({ open }) => {
  test('10 concurrent sign-ins in two processes begin 10 sessions', async () => {
    const { user, sessions, elsewhere } = await someSessions(open)

    const cookies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? sessions : elsewhere).begin(user, visitor)),
    )

    expect(await sessions.list(user)).toHaveLength(10)
    for (const cookie of cookies) expect((await elsewhere.find(asBrowser(cookie)))?.user.id).toBe(pilot.id)
  })

  test('a sign-in form sent five times concurrently begins one session', async () => {
    const { user, sessions, elsewhere } = await someSessions(open)

    await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        (n % 2 === 0 ? sessions : elsewhere).begin(user, visitor, { signInId: 'the same' }),
      ),
    )

    expect(await sessions.list(user)).toHaveLength(1)
  })

  test('a sign-in ends the earlier session of the same browser, also of another user, and no other session', async () => {
    const { identity, user, sessions, elsewhere } = await someSessions(open)
    const rival: User = { ...user, id: 'user-rival', email: 'rival@example.com' }
    await identity.directory.insert('user', rival)
    const [first, otherBrowser] = [await sessions.begin(user, visitor), await sessions.begin(user, visitor)]

    const second = await elsewhere.begin(user, asBrowser(first))
    expect(await sessions.find(asBrowser(first))).toBeUndefined()
    const third = await sessions.begin(rival, asBrowser(second))

    expect(await elsewhere.find(asBrowser(second))).toBeUndefined()
    expect((await elsewhere.find(asBrowser(third)))?.user.id).toBe(rival.id)
    expect(await sessions.list(user)).toHaveLength(1)
    expect(await sessions.find(asBrowser(otherBrowser))).toBeDefined()
  })

  test('ending a session while others begin and end affects no other session', async () => {
    const { user, sessions, elsewhere } = await someSessions(open)
    const [kept, ended] = [await sessions.begin(user, visitor), await sessions.begin(user, visitor)]
    const chosen = await sessions.findOwner(asBrowser(ended))
    if (!chosen) throw new Error('No session')

    await Promise.all([
      elsewhere.begin(user, visitor),
      sessions.end(chosen),
      elsewhere.end(chosen),
      sessions.begin(user, visitor),
    ])

    expect(await elsewhere.find(asBrowser(ended))).toBeUndefined()
    expect(await elsewhere.find(asBrowser(kept))).toBeDefined()
    expect(await sessions.list(user)).toHaveLength(3)
  })

  test('ending all sessions leaves none, and a concurrent sign-in has either a complete session or none', async () => {
    const { user, sessions, elsewhere } = await someSessions(open)
    const before = await sessions.begin(user, visitor)

    const [, late] = await Promise.all([sessions.endAll(user.id), elsewhere.begin(user, visitor)])

    expect(await sessions.find(asBrowser(before))).toBeUndefined()
    const isListed = (await sessions.list(user)).length === 1
    expect((await sessions.find(asBrowser(late))) !== undefined).toBe(isListed)
  })

  test('a session is valid only with the password that it began with, in every process', async () => {
    const { identity, user, sessions, elsewhere } = await someSessions(open)
    const cookie = await sessions.begin(user, visitor)

    await identity.directory.update('user', user.id, (current) => ({ ...current, passwordHash: '$scrypt$other' }))

    for (const process of [sessions, elsewhere]) expect(await process.find(asBrowser(cookie))).toBeUndefined()
  })
})
