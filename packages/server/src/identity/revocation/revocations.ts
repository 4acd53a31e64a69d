/**
 * Revokes tokens, codes and sessions before they expire. A revocation of a subject voids everything issued for it
 * before.
 * In: the feed of revocations, which all processes share. Out (decision 21): `revoke`, in force at once in this process
 * and within a second in all others; `isRevoked`, which uses memory while the feed is read regularly and otherwise asks
 * the feed; and `issue`, which notices revocations that happen while it runs.
 */
import { LRUCache } from 'lru-cache'
import { ApiError } from '../../errors.ts'
import { createThrottle } from '../../http/throttle.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Revocation, RevocationFeed } from '../../ports/storage/revocation-feed.ts'
import type { SharedCounts } from '../../ports/storage/shared-counts.ts'
import { keepReading } from './keep-reading.ts'
import {
  clockSkewMs,
  isPermanent,
  keptInMemoryMs,
  type RevocationCause,
  type RevocationSubject,
  type TokenHolder,
  toCauseForHolder,
  toRevocationSubject,
  ttlOf,
} from './revocation-subject.ts'

/** A token, code or session, which a revocation may void. */
export interface Issued {
  subjects: RevocationSubject[]
  /** A revocation of one of the subjects at this time or later voids it. In ms. */
  issuedAfterMs: number
}

/** Who a family or token was issued to, and when (`Issued`). */
export interface IssuedTo extends TokenHolder {
  issuedAfterMs: number
}

export interface Writing<T> {
  write(): Promise<T>
  /** Undoes `write`. */
  discard(written: T): Promise<void>
}

export interface Issuing<A, T> {
  /**
   * Reads the records that allow this token, code or session. The result names the subjects whose revocation voids it.
   */
  read(): Promise<A>
  write(allowed: A, issuedAfterMs: number): Promise<T>
  /** Undoes `write`. */
  discard(written: T): Promise<void>
}

export interface Revocations {
  /**
   * When it resolves, the revocation is durable and in force in this process; all others follow within a second.
   * @param holder Who the family or token was issued to. After 256 of a holder in 25 hours, all tokens of the holder
   * are revoked.
   * @throws ApiError `unavailable` when that happens too often
   */
  revoke(subject: RevocationSubject, holder?: IssuedTo): Promise<void>
  /**
   * Calls `read` and `write`, then asks the feed. If one of the subjects was revoked meanwhile, calls `discard` and
   * starts again; `read` then decides whether the subject is still allowed.
   * @throws ApiError `unavailable` after three attempts
   */
  issue<A extends { subjects: RevocationSubject[] }, T extends object>(issuing: Issuing<A, T>): Promise<T>
  /** Like `issue`, for writes that renew or exchange `issued`. If `issued` is void, discards and returns undefined. */
  writeUnlessRevoked<T>(issued: Issued, writing: Writing<T>): Promise<T | undefined>
  /** An `issuedAfterMs` later than every durable revocation of these subjects. */
  issuedAfter(subjects: RevocationSubject[]): Promise<number>
  /** @throws ApiError `unavailable` when neither memory nor the feed has a current answer. */
  isRevoked(issued: Issued): Promise<boolean>
  /** Reads all new revocations of the feed. */
  read(): Promise<void>
  /** Reads five times a second, until stopped. */
  follow(): () => Promise<void>
}

export interface RevocationsOptions {
  feed: RevocationFeed
  clock: Clock
  /** Where processes count the revocations of a holder together. Default: each counts its own. */
  sharedCounts?: SharedCounts | undefined
  /** Called when all tokens of a holder were revoked, because too many of them had been revoked one by one. */
  onHolderRevoked?: (cause: RevocationCause) => void
  /** Called for the first of several failed reads in a row. */
  onError?: (error: unknown) => void
}

const readEveryMs = 200
/** The longest time for which a process may accept a token after its revocation. */
const maxAgeMs = 1_000
const maxAttempts = 3
/**
 * Families and tokens of a holder that are revoked one by one, so that they do not fill the feed and the memory
 * (decision 71).
 */
const maxPerHolder = 256
/** How far the times of revocations may be ahead of the clock because there are so many. */
const maxAheadMs = 1_000
/** Revocations in memory: about 50 MB. Beyond, the oldest are forgotten, and each token is looked up in the feed. */
const maxKnown = 250_000

export function createRevocations({
  feed,
  clock,
  sharedCounts,
  onHolderRevoked = () => {},
  onError = () => {},
}: RevocationsOptions): Revocations {
  /** Approximately ordered by time. */
  const known = new LRUCache<string, { atMs: number; learned: number }>({
    // Each counts 1. `max` would reserve the memory at the start.
    maxSize: maxKnown,
    sizeCalculation: () => 1,
    dispose(_known, _subject, reason) {
      if (reason === 'evict') incompleteUntilMs = clock.now() + keptInMemoryMs
    },
  })
  const announcing = new Map<string, Promise<void>>()
  const perHolder = createThrottle({
    clock,
    limit: maxPerHolder,
    windowMs: keptInMemoryMs,
    message: 'Too many tokens of one user or device were revoked',
    shared: sharedCounts && { counts: sharedCounts, name: 'revocations', step: 16 },
  })
  let learned = 0
  /** The latest time of all revocations that are not permanent. */
  let newestMs = 0
  let cursor = ''
  let readAtMs = Number.NEGATIVE_INFINITY
  /** Until this time, a revocation that memory has forgotten may void a valid token. */
  let incompleteUntilMs = Number.NEGATIVE_INFINITY

  function learn({ subject, atMs }: Revocation): void {
    if (!isPermanent(subject)) newestMs = Math.max(newestMs, atMs)
    if (atMs + keptInMemoryMs <= clock.now()) return
    const earlier = known.peek(subject)
    if (earlier && earlier.atMs >= atMs) return
    known.delete(subject)
    known.set(subject, { atMs, learned: ++learned })
  }

  function forget(): void {
    for (;;) {
      const [oldest] = known.rkeys()
      const revocation = oldest === undefined ? undefined : known.peek(oldest)
      if (oldest === undefined || !revocation || revocation.atMs + keptInMemoryMs > clock.now()) return
      known.delete(oldest)
    }
  }

  async function revokeOne(subject: RevocationSubject, holder: IssuedTo | undefined): Promise<void> {
    if (!holder) return announce(subject)
    const cause = toCauseForHolder(holder)
    const all = toRevocationSubject(cause)
    if (perHolder.used(all) < maxPerHolder) {
      await announce(subject)
      perHolder.count(all)
      return
    }
    // Also learns what another process has just announced, so that this revocation is later.
    if (await isRevokedByFeed({ subjects: [all], issuedAfterMs: holder.issuedAfterMs })) return
    if (newestMs > clock.now() + clockSkewMs + maxAheadMs) {
      throw new ApiError('unavailable', 'There are too many revocations; try again shortly')
    }
    await announce(all)
    onHolderRevoked(cause)
  }

  async function announce(subject: RevocationSubject): Promise<void> {
    const revocation = { subject, atMs: isPermanent(subject) ? clock.now() : nextAtMs() }
    await feed.announce(revocation, ttlOf(subject))
    learn(revocation)
  }

  /** A time later than every `issuedAfterMs` so far, even if the clock of another process is ahead. */
  function nextAtMs(): number {
    newestMs = Math.max(clock.now() + clockSkewMs, newestMs + 2)
    return newestMs
  }

  async function read(): Promise<void> {
    const startedAtMs = clock.now()
    for (let hasMore = true; hasMore; ) {
      const page = await feed.read(cursor)
      cursor = page.cursor
      hasMore = page.hasMore
      for (const revocation of page.revocations) learn(revocation)
    }
    readAtMs = Math.max(readAtMs, startedAtMs)
    forget()
  }

  function isRevokedByMemory({ subjects, issuedAfterMs }: Issued): boolean {
    return subjects.some((subject) => {
      const found = known.peek(subject)
      return found !== undefined && isVoiding({ subject, atMs: found.atMs }, issuedAfterMs)
    })
  }

  async function isRevokedByFeed({ subjects, issuedAfterMs }: Issued): Promise<boolean> {
    const found = await feed.find(subjects)
    for (const revocation of found) learn(revocation)
    return found.some((revocation) => isVoiding(revocation, issuedAfterMs))
  }

  /** Returns a function that gives an `issuedAfterMs` which only revocations learned after this call void. */
  function beginIssue(): (subjects: RevocationSubject[]) => number {
    const learnedBefore = learned
    const nowMs = clock.now()
    return (subjects) =>
      subjects.reduce((issuedAfterMs, subject) => {
        const found = known.peek(subject)
        return found && found.learned <= learnedBefore ? Math.max(issuedAfterMs, found.atMs + 1) : issuedAfterMs
      }, nowMs)
  }

  async function writeUnlessRevoked<T>(issued: Issued, { write, discard }: Writing<T>): Promise<T | undefined> {
    // Both calls are sent at once, in this order. A backend runs the calls of one process in order, so it reads the
    // feed after the write, without a second round trip.
    const [written, isRevoked] = await Promise.all([write(), isRevokedByFeed(issued)])
    if (!isRevoked) return written
    await discard(written)
    return undefined
  }

  return {
    async revoke(subject, holder) {
      if (!isPermanent(subject)) return announce(subject)
      // Many replayed tokens of one family cause only one announcement.
      if (known.has(subject)) return
      let announced = announcing.get(subject)
      if (!announced) {
        announced = revokeOne(subject, holder).finally(() => announcing.delete(subject))
        announcing.set(subject, announced)
      }
      return announced
    },
    async issue({ read, write, discard }) {
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const issuedAfter = beginIssue()
        const allowed = await read()
        const { subjects } = allowed
        const issuedAfterMs = issuedAfter(subjects)
        const issued = { subjects, issuedAfterMs }
        const written = await writeUnlessRevoked(issued, { write: () => write(allowed, issuedAfterMs), discard })
        if (written) return written
      }
      throw new ApiError('unavailable', 'The client, user or device is being revoked repeatedly; try again shortly')
    },
    writeUnlessRevoked,
    async issuedAfter(subjects) {
      for (const revocation of await feed.find(subjects)) learn(revocation)
      return beginIssue()(subjects)
    },
    async isRevoked(issued) {
      if (isRevokedByMemory(issued)) return true
      if (clock.now() >= incompleteUntilMs && clock.now() - readAtMs < maxAgeMs) return false
      const startedAtMs = clock.now()
      if (await isRevokedByFeed(issued)) return true
      if (clock.now() - startedAtMs < maxAgeMs) return false
      throw new ApiError(
        'unavailable',
        'The server could not check in time whether this was revoked; try again shortly',
      )
    },
    read,
    follow: () => keepReading({ clock, everyMs: readEveryMs, read, onError }),
  }
}

function isVoiding({ subject, atMs }: Revocation, issuedAfterMs: number): boolean {
  return isPermanent(subject) || atMs >= issuedAfterMs
}
