/**
 * Counts the failed attempts of the first message of each queue.
 * In: each failed attempt. Out: the number of failures, the time of the first, and whether the relay has answered so
 * often that the message itself may be the cause. The store keeps the counts, so that they continue after a restart or
 * in another process.
 */
import type { Relay } from '../../ports/storage/directory.ts'
import type { DeliveryAttempt } from '../../ports/storage/recent-deliveries.ts'
import type { Store } from '../../ports/storage/store.ts'

export interface MessageFailures {
  /** The seq of the message in the delivery log. */
  seq: number
  attemptCount: number
  /** The latest attempts, oldest first. */
  attempts: DeliveryAttempt[]
  /** HTTP responses since the relay was last updated. */
  answers: number
  firstAnswerAtMs: number | null
}

export interface FailureRecord {
  /** Address of the relay. After an update of the relay the counts start again. */
  url: string
  sinceMs: number
  /** The first message of the queue. */
  head: MessageFailures
  /** The second message of the queue, if it was tried as well. */
  next: MessageFailures | null
  /** Consecutive failed attempts of the head; the backoff grows with the number. */
  inARow: number
  firstFailedAtMs: number
  nextAttemptAtMs: number
}

export interface QueueFailures {
  read(queue: string): Promise<FailureRecord | undefined>
  /** Returns the record after one more failed attempt of the head; `write` stores it. */
  add(queue: string, relay: Relay, seq: number, attempt: DeliveryAttempt): Promise<FailureRecord>
  write(queue: string, failures: FailureRecord): Promise<void>
  /** Call it when the head was delivered or buried. */
  forget(queue: string): void
  /** The record that this process read or wrote last; another process may have counted more failures since. */
  known(queue: string): FailureRecord | undefined
  /** Whether this process has read or written the record of the queue. */
  isKnown(queue: string): boolean
  /** Whether the record that this process read or wrote last has failures of the head. */
  isFailing(queue: string): boolean
}

/** A message is exhausted after this many responses over at least this time. */
const exhaustedAfterAnswers = 15
const exhaustedAfterMs = 60 * 60_000
const maxAttemptsKept = 10

export interface QueueFailuresOptions {
  store: Store
  /** Limit of the time for which a message is retried. */
  retentionMs: number
}

export function createQueueFailures({ store, retentionMs }: QueueFailuresOptions): QueueFailures {
  /** Records of the queues that this process has worked on; null for a queue without failures. */
  const known = new Map<string, FailureRecord | null>()
  const toKey = (queue: string) => `relay-failures:${queue}`
  const ttlMs = 2 * retentionMs + exhaustedAfterMs

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
    // The stored record is not deleted: no later message has its seq, and it expires.
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
  const ofSameMessage = earlier?.head.seq === seq ? earlier : undefined
  const ofSameRelay = ofSameMessage?.url === url && ofSameMessage.sinceMs === sinceMs ? ofSameMessage : undefined
  // After an update of the relay the attempts are still listed, and the responses are counted from 0.
  const head =
    ofSameMessage && !ofSameRelay ? { ...ofSameMessage.head, answers: 0, firstAnswerAtMs: null } : ofSameMessage?.head
  return {
    url,
    sinceMs,
    head: addFailure(head, seq, attempt),
    next: ofSameRelay?.next ?? null,
    inARow: (ofSameRelay?.inARow ?? 0) + 1,
    firstFailedAtMs: ofSameRelay?.firstFailedAtMs ?? attempt.startedAtMs,
    nextAttemptAtMs: attempt.startedAtMs + attempt.durationMs,
  }
}

/** Returns the counts after one more failed attempt of the message. */
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

/** Whether the relay has answered the message `exhaustedAfterAnswers` times, over at least `exhaustedAfterMs`. */
export function isExhausted({ answers, firstAnswerAtMs }: MessageFailures, nowMs: number): boolean {
  return answers >= exhaustedAfterAnswers && firstAnswerAtMs !== null && nowMs - firstAnswerAtMs >= exhaustedAfterMs
}
