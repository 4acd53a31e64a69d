/**
 * Counts attempts of deliveries per minute, per device and per account, for the owner of the relay.
 * In: the end of each attempt. Out: the minutes of the metric window. The counts are kept in memory and written when
 * their minute has ended, one write per device and account, so that no delivery waits for them. A process that is
 * killed loses the counts of its current minute; no delivery depends on them.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import { minuteOf } from '../../ports/storage/recent-reports.ts'
import { changeStored, type Store } from '../../ports/storage/store.ts'
import type { Attempted } from '../sender/attempt-delivery.ts'

/** The attempts that ended in one minute. */
export interface DeliveryMinute {
  startMs: number
  delivered: number
  /** Attempts that the relay did not accept. */
  failed: number
  /** From the start of each accepted attempt to the relay's answer, added up. */
  answerMs: number
  longestAnswerMs: number
  /** From the append of each delivered message to the relay's answer, added up. */
  lagMs: number
}

export type MetricsSubject = { device: string } | { account: string }

export interface DeliveryMetrics {
  record(attempted: Attempted, of: { deviceUrn: string; accountId: string; appendedAtMs: number }): void
  /** The minutes of the metric window that had attempts, oldest first; without those before `sinceMs`. */
  list(subject: MetricsSubject, sinceMs?: number): Promise<DeliveryMinute[]>
  /** Writes what was recorded. */
  stop(): Promise<void>
}

export interface DeliveryMetricsOptions {
  store: Store
  clock: Clock
  logger: Pick<Logger, 'warn'>
  windowMs: number
}

const minuteMs = 60_000
/** Devices and accounts whose counts wait; further ones are not counted. */
const maxWaiting = 20_000
/** Writes at the same time, so that reports do not wait for thousands of them. */
const writesAtOnce = 16

/** By the start of the minute. */
type Minutes = Map<number, DeliveryMinute>

export function createDeliveryMetrics({ store, clock, logger, windowMs }: DeliveryMetricsOptions): DeliveryMetrics {
  const stopping = new AbortController()
  let waiting = new Map<string, Minutes>()
  let writing: Promise<void> | undefined

  function count(key: string, minute: DeliveryMinute): void {
    if (!waiting.has(key) && waiting.size >= maxWaiting) return
    const minutes: Minutes = waiting.get(key) ?? new Map()
    minutes.set(minute.startMs, sum(minutes.get(minute.startMs), minute))
    waiting.set(key, minutes)
  }

  async function writeAll(): Promise<void> {
    while (waiting.size > 0) {
      await clock.sleep(minuteMs - (clock.now() % minuteMs), stopping.signal)
      const ended = [...waiting]
      waiting = new Map()
      for (let first = 0; first < ended.length; first += writesAtOnce) {
        await Promise.all(ended.slice(first, first + writesAtOnce).map(([key, minutes]) => write(key, minutes)))
      }
    }
    writing = undefined
  }

  async function write(key: string, minutes: Minutes): Promise<void> {
    try {
      await changeStored<DeliveryMinute[]>(store, key, (current = []) => merge(current, minutes), windowMs + minuteMs)
    } catch (error) {
      logger.warn({ err: error }, 'could not store how many deliveries a minute had')
    }
  }

  function merge(current: DeliveryMinute[], added: Minutes): DeliveryMinute[] {
    const minutes: Minutes = new Map(current.map((minute) => [minute.startMs, minute]))
    for (const [startMs, minute] of added) minutes.set(startMs, sum(minutes.get(startMs), minute))
    return [...minutes.values()].filter(isInWindow).sort((a, b) => a.startMs - b.startMs)
  }

  function isInWindow({ startMs }: DeliveryMinute): boolean {
    return startMs + minuteMs > clock.now() - windowMs
  }

  return {
    record({ outcome, attempt: { durationMs } }, { deviceUrn, accountId, appendedAtMs }) {
      const isAccepted = outcome.kind === 'accepted'
      const minute = {
        startMs: minuteOf(clock.now()),
        delivered: isAccepted ? 1 : 0,
        failed: isAccepted ? 0 : 1,
        answerMs: isAccepted ? durationMs : 0,
        longestAnswerMs: isAccepted ? durationMs : 0,
        lagMs: isAccepted ? Math.max(0, clock.now() - appendedAtMs) : 0,
      }
      count(toKey({ device: deviceUrn }), minute)
      count(toKey({ account: accountId }), minute)
      writing ??= writeAll()
    },
    async list(subject, sinceMs = 0) {
      const minutes = (await store.get<DeliveryMinute[]>(toKey(subject))) ?? []
      return minutes.filter((minute) => isInWindow(minute) && minute.startMs + minuteMs > sinceMs)
    },
    async stop() {
      stopping.abort()
      await writing
    },
  }
}

function toKey(subject: MetricsSubject): string {
  return 'device' in subject
    ? `delivery-minutes:device:${subject.device}`
    : `delivery-minutes:account:${subject.account}`
}

function sum(one: DeliveryMinute | undefined, other: DeliveryMinute): DeliveryMinute {
  if (!one) return other
  return {
    startMs: one.startMs,
    delivered: one.delivered + other.delivered,
    failed: one.failed + other.failed,
    answerMs: one.answerMs + other.answerMs,
    longestAnswerMs: Math.max(one.longestAnswerMs, other.longestAnswerMs),
    lagMs: one.lagMs + other.lagMs,
  }
}
