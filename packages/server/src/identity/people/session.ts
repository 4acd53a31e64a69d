/**
 * Browser sessions: each lasts 12 hours and gets a new id at each sign-in; a user can end any of them.
 * One record per user has all sessions, so that a change of several is one atomic step. A session that is not in it is
 * dead, and so is one that began with another password or before the user was revoked. A small record maps the cookie
 * to the user.
 */
import type { Clock } from '../../ports/clock.ts'
import type { User } from '../../ports/storage/directory.ts'
import { changeStored, type Store } from '../../ports/storage/store.ts'
import { hashSecret, randomSecret } from '../../secrets.ts'
import { findSessionSecret, toSessionCookie, type Visitor } from '../../web/cookies.ts'
import { toRevocationSubject } from '../revocation/revocation-subject.ts'
import type { Revocations } from '../revocation/revocations.ts'

export interface Session {
  /** The hash of the cookie's value. */
  id: string
  userId: string
  /** The hash of the password hash with which the session began. */
  credential: string
  /** A later revocation of the user ends the session (`revocations.ts`). */
  issuedAfterMs: number
  /** The hash of the transaction's id. A form that is sent twice replaces the session with the same hash. */
  signInHash: string | null
  startedAtMs: number
  /** Accurate to the minute. */
  seenAtMs: number
  endsAtMs: number
  address: string
  userAgent: string
  /** Shown on the next account page. */
  notice: Notice | null
}

export type Notice =
  | 'password-changed'
  | 'wrong-current-password'
  | 'wrong-new-password-length'
  | 'common-new-password'
  | 'access-revoked'
  | 'session-ended'
  | 'other-sessions-ended'

export interface Sessions {
  /** Ends the browser's earlier session and begins a new one; returns the cookie to set. */
  begin(user: User, visitor: Visitor, options?: BeginOptions): Promise<string>
  find(visitor: Visitor): Promise<{ session: Session; user: User } | undefined>
  /** The user of the browser's session, also after the session has ended. */
  findOwner(visitor: Visitor): Promise<Pick<Session, 'id' | 'userId'> | undefined>
  /** Last seen first. */
  list(user: User): Promise<Session[]>
  setNotice(session: Session, notice: Notice | null): Promise<void>
  end(session: Pick<Session, 'id' | 'userId'>): Promise<void>
  endAll(userId: string): Promise<void>
}

export interface BeginOptions {
  /** The id of the transaction; an earlier session that it began ends. */
  signInId?: string
  notice?: Notice
}

export interface SessionsOptions {
  store: Store
  clock: Clock
  revocations: Pick<Revocations, 'issuedAfter' | 'isRevoked'>
  /** Undefined for a user who may no longer sign in. */
  findUser(userId: string): Promise<User | undefined>
}

const ttlMs = 12 * 60 * 60_000
const seenEveryMs = 60_000
/** Above the limit, the session that was seen longest ago is removed. */
const maxPerUser = 50
const maxUserAgentLength = 300

export function createSessions({ store, clock, revocations, findUser }: SessionsOptions): Sessions {
  const toLive = (stored: Session[] = []) => stored.filter(({ endsAtMs }) => clock.now() < endsAtMs)
  const findLive = async (userId: string) => toLive(await store.get<Session[]>(toListKey(userId)))

  async function change(userId: string, toNext: (live: Session[]) => Session[]): Promise<void> {
    const ofLive = (stored: Session[] | undefined) => {
      const next = toNext(toLive(stored))
      return stored === undefined && next.length === 0 ? undefined : next
    }
    await changeStored(store, toListKey(userId), ofLive, ttlMs)
  }

  async function end({ id, userId }: Pick<Session, 'id' | 'userId'>): Promise<void> {
    await change(userId, (live) => live.filter((session) => session.id !== id))
    await store.delete(toKey(id))
  }

  /** Whether the session began with the current password, and was not revoked since. */
  async function isGood(user: User, { credential, issuedAfterMs }: Session): Promise<boolean> {
    return (
      credential === toCredential(user) && !(await revocations.isRevoked({ subjects: subjectsOf(user), issuedAfterMs }))
    )
  }

  async function findOwner({ cookies }: Visitor): Promise<Pick<Session, 'id' | 'userId'> | undefined> {
    const secret = findSessionSecret(cookies)
    if (secret === undefined) return undefined
    const id = hashSecret(secret)
    const owner = await store.get<{ userId: string }>(toKey(id))
    return owner && { id, userId: owner.userId }
  }

  /** At most once a minute. */
  async function recordSeen({ id, userId }: Session, { address, userAgent = '' }: Visitor): Promise<void> {
    const seen = { seenAtMs: clock.now(), address, userAgent: userAgent.slice(0, maxUserAgentLength) }
    await change(userId, (live) => live.map((session) => (session.id === id ? { ...session, ...seen } : session)))
  }

  return {
    async begin(user, visitor, { signInId, notice } = {}) {
      const former = await findOwner(visitor)
      if (former) await end(former)
      const secret = randomSecret()
      const now = clock.now()
      const session: Session = {
        id: hashSecret(secret),
        userId: user.id,
        credential: toCredential(user),
        issuedAfterMs: await revocations.issuedAfter(subjectsOf(user)),
        signInHash: signInId === undefined ? null : hashSecret(signInId),
        startedAtMs: now,
        seenAtMs: now,
        endsAtMs: now + ttlMs,
        address: visitor.address,
        userAgent: (visitor.userAgent ?? '').slice(0, maxUserAgentLength),
        notice: notice ?? null,
      }
      await store.put(toKey(session.id), { userId: user.id }, ttlMs)
      const { signInHash } = session
      let removed: Session[] = []
      await change(user.id, (live) => {
        const others = live.filter((other) => signInHash === null || other.signInHash !== signInHash)
        const kept = [session, ...others].sort(bySeen).slice(0, maxPerUser)
        removed = live.filter((other) => !kept.includes(other))
        return kept
      })
      // Otherwise a user who signs in again and again would leave a record each time.
      await Promise.all(removed.map(({ id }) => store.delete(toKey(id))))
      return toSessionCookie(secret, ttlMs)
    },

    async find(visitor) {
      const owner = await findOwner(visitor)
      if (!owner) return undefined
      const live = await findLive(owner.userId)
      const session = live.find(({ id }) => id === owner.id)
      const user = session && (await findUser(session.userId))
      if (!user || !(await isGood(user, session))) return undefined
      if (clock.now() - session.seenAtMs >= seenEveryMs) await recordSeen(session, visitor)
      return { session, user }
    },

    findOwner,

    async list(user) {
      const live = await findLive(user.id)
      const good = await Promise.all(live.map((session) => isGood(user, session)))
      return live.filter((_, index) => good[index]).sort(bySeen)
    },

    setNotice: ({ id, userId }, notice) =>
      change(userId, (live) => live.map((session) => (session.id === id ? { ...session, notice } : session))),
    end,
    async endAll(userId) {
      await store.delete(toListKey(userId))
    },
  }
}

function bySeen(a: Session, b: Session): number {
  return b.seenAtMs - a.seenAtMs
}

/** Whether the user signed in for this transaction. */
export function isBegunBy({ signInHash }: Session, transactionId: string): boolean {
  return signInHash === hashSecret(transactionId)
}

/** Changes with the password, so that a password change ends all sessions without a search. */
function toCredential({ passwordHash }: User): string {
  return hashSecret(passwordHash)
}

function subjectsOf({ id }: User) {
  return [toRevocationSubject({ kind: 'user', userId: id })]
}

function toKey(id: string): string {
  return `session:${id}`
}

function toListKey(userId: string): string {
  return `sessions:${userId}`
}
