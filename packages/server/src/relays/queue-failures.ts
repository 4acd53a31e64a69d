/**
 * What is known of a delivery that was tried in vain: it stands at the head of its device's line until it is taken.
 * In: each failed attempt. Out: how often, since when, and whether the relay has answered so often that the message
 * itself may be at fault. Kept in the store, so that neither a restart nor another process begins anew.
 */
import type { DeliveryAttempt } from '../ports/recent-deliveries.ts'
import type { Store } from '../ports/store.ts'

export interface MessageFailures {
  /** Its place in the delivery log. */
  seq: number
  attemptCount: number
  /** The latest ones, oldest first. */
  attempts: DeliveryAttempt[]
  /** HTTP answers of the relay as it is set now, and when the first of them came. */
  answers: number
  firstAnswerAtMs: number | null
}

export interface FailureRecord {
  /** Of the relay: an update of it begins the counts anew. */
  url: string
  sinceMs: number
  head: MessageFailures
  /** The one behind the head, once the head has had its chances. */
  next: MessageFailures | null
  /** Of the head at this relay, in a row; the pauses grow with it. */
  inARow: number
  firstFailedAtMs: number
  nextAttemptAtMs: number
}

export interface QueueFailures {
  read(line: string): Promise<FailureRecord | undefined>
  /** What this process has read or written last, for where a count that another process has raised since does no harm. */
  known(line: string): FailureRecord | undefined
  /** Whether it has read or written any. */
  isKnown(line: string): boolean
  write(line: string, failures: FailureRecord): Promise<void>
  /** What was known of the line is over: its head was taken. */
  forget(line: string): void
  /** Whether the head of this line failed when this process tried it last. */
  isFailing(line: string): boolean
}

/** So many answers, over so long, and it is not the relay's bad moment. */
const enoughAnswers = 15
const enoughMs = 60 * 60_000
const maxAttemptsKept = 10

export interface QueueFailuresOptions {
  store: Store
  /** Nothing is tried for longer. */
  retentionMs: number
}

export function createQueueFailures({ store, retentionMs }: QueueFailuresOptions): QueueFailures {
  /** Of the lines that this process has worked on; null where it knows of no failure. */
  const known = new Map<string, FailureRecord | null>()
  const toKey = (line: string) => `relay-failures:${line}`
  const ttlMs = 2 * retentionMs + enoughMs

  async function read(line: string): Promise<FailureRecord | undefined> {
    const failures = await store.get<FailureRecord>(toKey(line))
    known.set(line, failures ?? null)
    return failures
  }

  return {
    read,
    known: (line) => known.get(line) ?? undefined,
    isKnown: (line) => known.has(line),
    async write(line, failures) {
      known.set(line, failures)
      await store.put(toKey(line), failures, ttlMs)
    },
    // The record in the store is of a place in the log that does not come again, and expires.
    forget: (line) => void known.set(line, null),
    isFailing: (line) => (known.get(line) ?? null) !== null,
  }
}

/** The counts after one more failure of the message. */
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

/** The same message at a relay that was set anew: what was tried is remembered, what counts begins again. */
export function withoutAnswers(failures: MessageFailures): MessageFailures {
  return { ...failures, answers: 0, firstAnswerAtMs: null }
}

/** Whether the relay has had every chance to take this message. */
export function isExhausted({ answers, firstAnswerAtMs }: MessageFailures, nowMs: number): boolean {
  return answers >= enoughAnswers && firstAnswerAtMs !== null && nowMs - firstAnswerAtMs >= enoughMs
}
