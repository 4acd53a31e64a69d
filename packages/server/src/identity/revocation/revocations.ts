/**
 * What no longer counts though its signature is right. A revocation of a subject voids what was issued for it before.
 * In: the feed of revocations, which all processes share. Out: announcing one, in force here at once and in every process
 * within a second; judging, from memory while the feed is read and by asking it otherwise; and issuing, so that no
 * revocation is missed, whenever it comes (decision 21).
 */
import { ApiError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Revocation, RevocationFeed } from '../../ports/revocation-feed.ts'
import { keepReading } from './keep-reading.ts'
import { clockSkewMs, isPermanent, keptInMemoryMs, type RevocationSubject, ttlOf } from './revocation-subject.ts'

/** What revocations are held against. */
export interface Issued {
  subjects: RevocationSubject[]
  /** A revocation of one of the subjects voids what was issued, unless its time is before this one. In ms. */
  issuedAfterMs: number
}

export interface Writing<T> {
  write(): Promise<T>
  /** Takes back what was written. */
  discard(written: T): Promise<void>
}

export interface Issuing<A, T> {
  /** Reads the records that allow the issue, and names whose revocation voids it. */
  read(): Promise<A>
  write(allowed: A, issuedAfterMs: number): Promise<T>
  /** Takes back what was written. */
  discard(written: T): Promise<void>
}

export interface Revocations {
  /** Durable, and in force in this process, when it resolves; in force in every process within a second. */
  revoke(subject: RevocationSubject): Promise<void>
  /**
   * Reads, writes, and asks the feed behind the write. When one of the subjects was revoked meanwhile, the written is
   * discarded and all is read again: the subject may exist again, or no longer be allowed.
   * @throws ApiError `unavailable` after three attempts
   */
  issue<A extends { subjects: RevocationSubject[] }, T extends object>(issuing: Issuing<A, T>): Promise<T>
  /** The same for what was issued before and is renewed or exchanged. Undefined when it is void; the written is discarded. */
  writeUnlessRevoked<T>(issued: Issued, writing: Writing<T>): Promise<T | undefined>
  /** An `issuedAfterMs` behind every revocation of these subjects that is durable by now. */
  issuedAfter(subjects: RevocationSubject[]): Promise<number>
  /** @throws ApiError `unavailable` when neither memory nor the feed can tell. */
  isRevoked(issued: Issued): Promise<boolean>
  /** Reads what was announced since; resolves when this process knows all of it. */
  read(): Promise<void>
  /** Reads five times a second, until stopped. */
  follow(): () => Promise<void>
}

export interface RevocationsOptions {
  feed: RevocationFeed
  clock: Clock
  /** Called when following fails, once until it succeeds again. */
  onError?: (error: unknown) => void
}

const readEveryMs = 200
/** No process accepts what was revoked for longer. */
const maxAgeMs = 1_000
const maxAttempts = 3

export function createRevocations({ feed, clock, onError = () => {} }: RevocationsOptions): Revocations {
  /** About in the order of time, so that what can be forgotten is in front. */
  const known = new Map<string, { atMs: number; learned: number }>()
  const announcing = new Map<string, Promise<void>>()
  let learned = 0
  /** Of the revocations that are not permanent. */
  let newestMs = 0
  let cursor = ''
  let readAtMs = Number.NEGATIVE_INFINITY

  function learn({ subject, atMs }: Revocation): void {
    if (!isPermanent(subject)) newestMs = Math.max(newestMs, atMs)
    if (atMs + keptInMemoryMs <= clock.now()) return
    const earlier = known.get(subject)
    if (earlier && earlier.atMs >= atMs) return
    known.delete(subject)
    known.set(subject, { atMs, learned: ++learned })
  }

  function forget(): void {
    for (const [subject, { atMs }] of known) {
      if (atMs + keptInMemoryMs > clock.now()) return
      known.delete(subject)
    }
  }

  async function announce(subject: RevocationSubject): Promise<void> {
    const revocation = { subject, atMs: isPermanent(subject) ? clock.now() : nextAtMs() }
    await feed.announce(revocation, ttlOf(subject))
    learn(revocation)
  }

  /** Above every `issuedAfterMs` that was ever given: by a clock that is ahead of ours, or behind another revocation. */
  function nextAtMs(): number {
    newestMs = Math.max(clock.now() + clockSkewMs, newestMs + 2)
    return newestMs
  }

  async function read(): Promise<void> {
    const startedAtMs = clock.now()
    const behind = await feed.read(cursor)
    cursor = behind.cursor
    readAtMs = Math.max(readAtMs, startedAtMs)
    for (const revocation of behind.revocations) learn(revocation)
    forget()
  }

  function isRevokedByMemory({ subjects, issuedAfterMs }: Issued): boolean {
    return subjects.some((subject) => {
      const found = known.get(subject)
      return found !== undefined && isVoiding({ subject, atMs: found.atMs }, issuedAfterMs)
    })
  }

  async function isRevokedByFeed({ subjects, issuedAfterMs }: Issued): Promise<boolean> {
    const found = await feed.find(subjects)
    for (const revocation of found) learn(revocation)
    return found.some((revocation) => isVoiding(revocation, issuedAfterMs))
  }

  /** From now on, an issue is behind the revocations that are known now, and before every later one. */
  function beginIssue(): (subjects: RevocationSubject[]) => number {
    const learnedBefore = learned
    const nowMs = clock.now()
    return (subjects) =>
      subjects.reduce((issuedAfterMs, subject) => {
        const found = known.get(subject)
        return found && found.learned <= learnedBefore ? Math.max(issuedAfterMs, found.atMs + 1) : issuedAfterMs
      }, nowMs)
  }

  async function writeUnlessRevoked<T>(issued: Issued, { write, discard }: Writing<T>): Promise<T | undefined> {
    // Both are sent in this step, in this order, and a backend answers one process in the order of its calls: the feed is
    // asked behind the write without a round trip of its own.
    const [written, isRevoked] = await Promise.all([write(), isRevokedByFeed(issued)])
    if (!isRevoked) return written
    await discard(written)
    return undefined
  }

  return {
    async revoke(subject) {
      if (!isPermanent(subject)) return announce(subject)
      // A flood of replays announces the end of its family once.
      if (known.has(subject)) return
      let announced = announcing.get(subject)
      if (!announced) {
        announced = announce(subject).finally(() => announcing.delete(subject))
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
      if (clock.now() - readAtMs < maxAgeMs) return false
      const startedAtMs = clock.now()
      if (await isRevokedByFeed(issued)) return true
      if (clock.now() - startedAtMs < maxAgeMs) return false
      throw new ApiError('unavailable', 'Whether this is still valid could not be found out in time; try again shortly')
    },
    read,
    follow: () => keepReading({ clock, everyMs: readEveryMs, read, onError }),
  }
}

function isVoiding({ subject, atMs }: Revocation, issuedAfterMs: number): boolean {
  return isPermanent(subject) || atMs >= issuedAfterMs
}
