/**
 * What is void though its signature is right. A mark on a subject voids everything that was issued for it before.
 * In: the feed of marks, which all processes share. Out: announcing, in force here at once and elsewhere within a second;
 * and judging, from memory while this process hears the feed, by asking it when it has not heard it for a second.
 */
import { ApiError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { RevocationFeed, RevocationMark } from '../ports/revocation-feed.ts'
import { keepReading } from './keep-reading.ts'
import { clockSkewMs, isTimeless, memoryMs, type RevocationSubject, ttlOf } from './revocation-subject.ts'

/** What marks are held against. */
export interface Issued {
  subjects: RevocationSubject[]
  /** When it was issued: in ms, and behind every mark that was known when the issue began. */
  stampMs: number
}

/** Gives the stamp of what is issued for these subjects. */
export type StampFor = (subjects: RevocationSubject[]) => number

export interface Revocations {
  /** Durable, and in force in this process, when it resolves; in force in every process within a second. */
  revoke(subject: RevocationSubject): Promise<void>
  /**
   * Call it before reading the records that allow an issue, and `isVoidByFeed` behind writing what is issued, at the
   * latest with it: then no mark that comes in between is missed, and no earlier one is in the way.
   */
  beginIssue(): StampFor
  /** A stamp behind every mark of these subjects that is durable by now. */
  stampByFeed(subjects: RevocationSubject[]): Promise<number>
  /** @throws ApiError `unavailable` when neither memory nor the feed can tell. */
  isVoid(issued: Issued): Promise<boolean>
  /**
   * The same with every mark that is durable by now. For what is about to be issued the answer may come late: a mark that
   * is set meanwhile voids it all the same.
   */
  isVoidByFeed(issued: Issued): Promise<boolean>
  /** Reads what was announced since; resolves when this process knows all of it. */
  read(): Promise<void>
  /** Reads four times a second and more, until stopped. */
  follow(): () => Promise<void>
}

export interface RevocationsOptions {
  feed: RevocationFeed
  clock: Clock
  /** Told when following breaks off, once per break. */
  onError?: (error: unknown) => void
}

const readEveryMs = 200
/** No process honours what was revoked for longer. */
const maxAgeMs = 1_000

export function createRevocations({ feed, clock, onError = () => {} }: RevocationsOptions): Revocations {
  // Insertion order is about the order of time, so that what can be forgotten stands in front.
  const marks = new Map<string, { atMs: number; learned: number }>()
  const announcing = new Map<string, Promise<void>>()
  let learned = 0
  /** Of marks that are held against times of issue. */
  let newestMs = 0
  let cursor = ''
  let readAtMs = Number.NEGATIVE_INFINITY

  function learn({ subject, atMs }: RevocationMark): void {
    if (!isTimeless(subject)) newestMs = Math.max(newestMs, atMs)
    if (atMs + memoryMs <= clock.now()) return
    const known = marks.get(subject)
    if (known && known.atMs >= atMs) return
    marks.delete(subject)
    marks.set(subject, { atMs, learned: ++learned })
  }

  function forget(): void {
    for (const [subject, { atMs }] of marks) {
      if (atMs + memoryMs > clock.now()) return
      marks.delete(subject)
    }
  }

  async function announce(subject: RevocationSubject): Promise<void> {
    const mark = { subject, atMs: isTimeless(subject) ? clock.now() : nextMarkMs() }
    await feed.announce(mark, ttlOf(subject))
    learn(mark)
  }

  /** Above every stamp that was ever given: by a clock that is ahead of ours, or behind another mark. */
  function nextMarkMs(): number {
    newestMs = Math.max(clock.now() + clockSkewMs, newestMs + 2)
    return newestMs
  }

  async function read(): Promise<void> {
    const startedAtMs = clock.now()
    const behind = await feed.read(cursor)
    cursor = behind.cursor
    readAtMs = Math.max(readAtMs, startedAtMs)
    for (const mark of behind.marks) learn(mark)
    forget()
  }

  function isVoidByMemory({ subjects, stampMs }: Issued): boolean {
    return subjects.some((subject) => {
      const mark = marks.get(subject)
      return mark !== undefined && isVoiding({ subject, atMs: mark.atMs }, stampMs)
    })
  }

  async function isVoidByFeed({ subjects, stampMs }: Issued): Promise<boolean> {
    const found = await feed.find(subjects)
    for (const mark of found) learn(mark)
    return found.some((mark) => isVoiding(mark, stampMs))
  }

  function beginIssue(): StampFor {
    const known = learned
    const nowMs = clock.now()
    return (subjects) =>
      subjects.reduce((stampMs, subject) => {
        const mark = marks.get(subject)
        return mark && mark.learned <= known ? Math.max(stampMs, mark.atMs + 1) : stampMs
      }, nowMs)
  }

  return {
    async revoke(subject) {
      if (!isTimeless(subject)) return announce(subject)
      // Whoever is ended once and for all is not announced again for each replay of a flood.
      if (marks.has(subject)) return
      let announced = announcing.get(subject)
      if (!announced) {
        announced = announce(subject).finally(() => announcing.delete(subject))
        announcing.set(subject, announced)
      }
      return announced
    },
    beginIssue,
    async stampByFeed(subjects) {
      for (const mark of await feed.find(subjects)) learn(mark)
      return beginIssue()(subjects)
    },
    async isVoid(issued) {
      if (isVoidByMemory(issued)) return true
      if (clock.now() - readAtMs < maxAgeMs) return false
      const startedAtMs = clock.now()
      if (await isVoidByFeed(issued)) return true
      if (clock.now() - startedAtMs < maxAgeMs) return false
      throw new ApiError('unavailable', 'Whether this is still valid could not be found out in time; try again shortly')
    },
    isVoidByFeed,
    read,
    follow: () => keepReading({ clock, everyMs: readEveryMs, read, onError }),
  }
}

function isVoiding({ subject, atMs }: RevocationMark, stampMs: number): boolean {
  return isTimeless(subject) || atMs >= stampMs
}
