/**
 * Counts the failed attempts of the first message of each queue.
 * In: each failed attempt. Out: how many there were and since when, and whether the relay has answered so often that the
 * message itself may be at fault. Kept in the store, so that a restart or another process continues the count.
 */
import type { Relay } from '../../ports/directory.ts'
import type { DeliveryAttempt } from '../../ports/recent-deliveries.ts'
import type { Store } from '../../ports/store.ts'

export interface MessageFailures {
  /** Of its entry in the delivery log. */
  seq: number
  attemptCount: number
  /** The latest ones, oldest first. */
  attempts: DeliveryAttempt[]
  /** HTTP responses since the relay was last updated. */
  answers: number
  firstAnswerAtMs: number | null
}

export interface FailureRecord {
  /** Of the relay: an update of it begins the counts again. */
  url: string
  sinceMs: number
  /** The first message of the queue. */
  head: MessageFailures
  /** The message after it, once that was tried as well. */
  next: MessageFailures | null
  /** Failed attempts of the head in a row; the backoff grows with it. */
  inARow: number
  firstFailedAtMs: number
  nextAttemptAtMs: number
}

export interface QueueFailures {
  read(queue: string): Promise<FailureRecord | undefined>
  /** The record after one more failed attempt of the head; `write` stores it. */
  add(queue: string, relay: Relay, seq: number, attempt: DeliveryAttempt): Promise<FailureRecord>
  write(queue: string, failures: FailureRecord): Promise<void>
  /** The head was delivered or buried. */
  forget(queue: string): void
  /** What this process has read or written last; another process may have counted more since. */
  known(queue: string): FailureRecord | undefined
  /** Whether this process has read or written any. */
  isKnown(queue: string): boolean
  /** Whether the head failed when this process tried it last. */
  isFailing(queue: string): boolean
}

/** A message is exhausted after this many responses over at least this time. */
const enoughAnswers = 15
const enoughMs = 60 * 60_000
const maxAttemptsKept = 10

export interface QueueFailuresOptions {
  store: Store
  /** Nothing is tried for longer. */
  retentionMs: number
}

export function createQueueFailures({ store, retentionMs }: QueueFailuresOptions): QueueFailures {
  /** Of the queues that this process has worked on; null where there is no failure. */
  const known = new Map<string, FailureRecord | null>()
  const toKey = (queue: string) => `relay-failures:${queue}`
  const ttlMs = 2 * retentionMs + enoughMs

  async function read(queue: string): Promise<FailureRecord | undefined> {
    const failures = await store.get<FailureRecord>(toKey(queue))
    known.set(queue, failures ?? null)
    return failures
  }

  return {
    read,
    async add(queue, relay, seq, attempt) {
      return addToRecord(await read(queue), relay, seq, attempt)
    },
    async write(queue, failures) {
      known.set(queue, failures)
      await store.put(toKey(queue), failures, ttlMs)
    },
    // The record in the store names a seq that is never given again, and expires.
    forget: (queue) => void known.set(queue, null),
    known: (queue) => known.get(queue) ?? undefined,
    isKnown: (queue) => known.has(queue),
    isFailing: (queue) => (known.get(queue) ?? null) !== null,
  }
}

function addToRecord(
  earlier: FailureRecord | undefined,
  { url, sinceMs }: Relay,
  seq: number,
  attempt: DeliveryAttempt,
): FailureRecord {
  const ofHead = earlier?.head.seq === seq ? earlier : undefined
  const ofRelay = ofHead?.url === url && ofHead.sinceMs === sinceMs ? ofHead : undefined
  // After an update of the relay the attempts are still listed, and the responses are counted again.
  const head = ofHead && !ofRelay ? { ...ofHead.head, answers: 0, firstAnswerAtMs: null } : ofHead?.head
  return {
    url,
    sinceMs,
    head: addFailure(head, seq, attempt),
    next: ofRelay?.next ?? null,
    inARow: (ofRelay?.inARow ?? 0) + 1,
    firstFailedAtMs: ofRelay?.firstFailedAtMs ?? attempt.startedAtMs,
    nextAttemptAtMs: attempt.startedAtMs + attempt.durationMs,
  }
}

/** The counts after one more failed attempt of the message. */
export function addFailure(
  earlier: MessageFailures | null | undefined,
  seq: number,
  attempt: DeliveryAttempt,
): MessageFailures {
  const same = earlier?.seq === seq ? earlier : undefined
  const isAnswer = attempt.status !== null
  return {
    seq,
    attemptCount: (same?.attemptCount ?? 0) + 1,
    attempts: [...(same?.attempts ?? []), attempt].slice(-maxAttemptsKept),
    answers: (same?.answers ?? 0) + (isAnswer ? 1 : 0),
    firstAnswerAtMs: same?.firstAnswerAtMs ?? (isAnswer ? attempt.startedAtMs : null),
  }
}

/** Whether the relay has answered the message often enough, over a time that is long enough. */
export function isExhausted({ answers, firstAnswerAtMs }: MessageFailures, nowMs: number): boolean {
  return answers >= enoughAnswers && firstAnswerAtMs !== null && nowMs - firstAnswerAtMs >= enoughMs
}
