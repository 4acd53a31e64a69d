/**
 * Reports a sensor's positions to the service.
 * In: positions. Out: reports that the service has accepted, in order, each position at least once.
 * A position leaves the spool only when the service accepts it, when the service refuses it permanently, or when the spool is full
 * and needs room. Each case is counted and has a callback.
 */
import type { PositionData, SensorState } from '@posrep/spec'
import { vSensorState } from '@posrep/spec/validators'
import { getDotPath, safeParse } from 'valibot'
import { checkNumber, checkOrigin, checkWholeNumber } from './check-option.ts'
import { type ClockOffset, createClockOffset } from './delivery/clock-offset.ts'
import { type BatchOutcome, createCourier, type RefusedPosition } from './delivery/courier.ts'
import { createAlarmPrinter } from './delivery/print-alarm.ts'
import { createSendBatch } from './delivery/send-batch.ts'
import { AgentError, toReason } from './errors.ts'
import { systemFetch } from './network/system-fetch.ts'
import { type Clock, type Fetch, type Random, systemClock, systemRandom } from './ports.ts'
import { checkPositionJson, toPositionJson } from './positions.ts'
import { memorySpool } from './spool/memory-spool.ts'
import type { Spool } from './spool/spool.ts'
import type { TokenSource } from './tokens/token-source.ts'

export interface AgentOptions {
  /** Base address of the surveillance ingest, `{base_url}`. HTTPS, or HTTP on this machine. */
  ingestOrigin: URL
  /** The sensor's state, or only its local ID. It is sent with each report and must be the sensor of the token. */
  sensor: SensorState | string
  /** Source of the device token: `clientCredentials()` or `pairing()`. */
  tokens: TokenSource
  /** Stores positions until they are sent. Default: `memorySpool()`, 64 MiB. */
  spool?: Spool
  /** Positions per request. 1-1000. Default 100. */
  batchSize?: number
  /** Largest request body, in bytes. 1024-1048576. Default 524_288. A larger position is sent alone. */
  batchBytes?: number
  /** Longest wait before a partial batch is sent, in ms. Default 1_000. */
  maxDelayMs?: number
  /** Longest wait for a complete response, in ms. Default 10_000. */
  deadlineMs?: number
  /**
   * Positions that have waited for this time longer than `maxDelayMs` are the backlog, also those of an earlier process: newer positions
   * are sent first, in order, and the backlog beside them, in order, at its own pace. In ms; `Infinity` keeps the order of all positions.
   * Default 10_000.
   */
  backlogAfterMs?: number
  /** Pace of the backlog, in positions per second. 1 or more. Default 500. */
  backlogPerSecond?: number
  /** Request bodies of at least this size are compressed with gzip, in bytes. `Infinity`: none. Default 1_400. */
  gzipFromBytes?: number
  /** Receives the outcome of each attempt. */
  onOutcome?: (outcome: BatchOutcome) => void
  /**
   * Receives positions that the service will never accept. They leave the spool after it has returned or resolved; if it throws or
   * rejects, they stay and are sent again. Default: they are only counted.
   */
  onRefused?: (refused: RefusedPosition[]) => void | Promise<void>
  /** Receives the number of oldest positions that were dropped to make room. */
  onDropped?: (positions: number) => void
  /**
   * Receives an error that needs a person: wrong credentials, a service that cannot be reached, a clock that is wrong, a full disk. The
   * agent continues to retry. Default: each is printed once on standard error.
   */
  onAlarm?: (error: AgentError) => void
  clock?: Clock
  fetch?: Fetch
  random?: Random
}

export interface Agent {
  /**
   * Resolves after the spool has stored all positions. They are sent later, in this order.
   *
   * @throws AgentError `invalid_position`, `position_too_large` or `agent_closed`; then no position of this call was stored.
   */
  report(positions: PositionData | readonly PositionData[]): Promise<void>
  /** Like `report()`, for a position that is already JSON text: the text is sent unchanged. */
  reportJson(positions: string | readonly string[]): Promise<void>
  /**
   * Sends the positions in the spool at once. Resolves when each of them was accepted, refused or dropped.
   *
   * @throws AgentError `agent_closed` when the agent is closed before that.
   */
  flush(): Promise<void>
  /** Rejects further reports, sends what is in the spool for at most `drainMs`, then stops. Resolves with the final counts. */
  close(options?: CloseOptions): Promise<AgentStats>
  stats(): AgentStats
  /**
   * The service's time, in ms since the Unix epoch: the clock corrected by `clockOffset`, or the clock alone before the first answer.
   * For sources that stamp positions on a machine whose clock is wrong.
   */
  serviceTime(): number
}

export interface CloseOptions {
  /** Whether to send what is in the spool first. Default true. */
  drain?: boolean
  /** Longest time for that, in ms. Default 10_000. */
  drainMs?: number
}

/**
 * Counts positions since `createAgent` unless noted. `reported` = `accepted` + `refused` + `dropped` + `spooled`, if the spool was
 * empty at the start.
 */
export interface AgentStats {
  reported: number
  accepted: number
  refused: number
  /** Dropped because the spool was full. A position that was being sent at that moment may have arrived. */
  dropped: number
  spooled: number
  spooledBytes: number
  /** Of `spooled`, the positions that wait in the backlog. */
  backlog: number
  requests: number
  /** Requests that ended in a retry. */
  retries: number
  /** Bytes of the request bodies, after compression. */
  bytesSent: number
  /** Whether the last attempt was accepted or refused by the service. Undefined before the first attempt. */
  online: boolean | undefined
  /** Why the last failed attempt failed; undefined if a batch was accepted since. */
  lastFailure: string | undefined
  /** The service's clock minus this machine's, from the `Date` header, with its greatest error. Undefined before the first answer. */
  clockOffset: ClockOffset | undefined
}

/** A larger difference is an alarm: the service tags positions that are in the future. */
const wrongClockMs = 5_000

/** @throws RangeError or TypeError for a wrong option. */
export function createAgent({
  ingestOrigin,
  sensor,
  tokens,
  spool = memorySpool(),
  batchSize = 100,
  batchBytes = 512 * 1_024,
  maxDelayMs = 1_000,
  deadlineMs = 10_000,
  backlogAfterMs = 10_000,
  backlogPerSecond = 500,
  gzipFromBytes = 1_400,
  onOutcome,
  onRefused,
  onDropped,
  clock = systemClock,
  onAlarm = createAlarmPrinter(clock),
  fetch = systemFetch,
  random = systemRandom,
}: AgentOptions): Agent {
  checkOrigin('ingestOrigin', ingestOrigin)
  checkWholeNumber('batchSize', batchSize, 1, 1_000)
  checkWholeNumber('batchBytes', batchBytes, 1_024, 1_048_576)
  checkNumber('maxDelayMs', maxDelayMs, 0)
  checkNumber('deadlineMs', deadlineMs, 1)
  checkNumber('backlogAfterMs', backlogAfterMs, 0)
  checkNumber('backlogPerSecond', backlogPerSecond, 1)
  checkNumber('gzipFromBytes', gzipFromBytes, 0)
  const state = checkSensor(typeof sensor === 'string' ? { id: sensor } : sensor)

  const stop = new AbortController()
  const clockOffset = createClockOffset()
  const sendBatch = createSendBatch({
    ingestOrigin,
    sensor: state,
    tokens,
    clock,
    fetch,
    deadlineMs,
    gzipFromBytes,
    onDate: observeDate,
    signal: stop.signal,
  })
  const courier = createCourier({
    spool,
    sendBatch,
    batchSize,
    batchBytes: Math.max(1, batchBytes - sendBatch.envelopeBytes),
    maxDelayMs,
    backlogAfterMs,
    backlogPerSecond,
    clock,
    random,
    onOutcome: (outcome) => notify(onOutcome, outcome),
    onAlarm: (error) => notify(onAlarm, error),
    onRefused: (refused) => onRefused?.(refused),
    signal: stop.signal,
  })
  const droppedBefore = spool.counters().dropped
  let isClockWrong = false
  let reported = 0
  let closing: Promise<AgentStats> | undefined

  return {
    async report(positions) {
      await append(toList(positions).map((position, index) => toPositionJson(position, `positions[${index}]`)))
    },
    async reportJson(positions) {
      await append(toList(positions).map((json, index) => checkPositionJson(json, `positions[${index}]`)))
    },
    flush: courier.flush,
    close(options) {
      closing ??= close(options)
      return closing
    },
    stats,
    serviceTime: () => clock.now() + (clockOffset.value()?.offsetMs ?? 0),
  }

  function observeDate(date: string | null, sentAtMs: number, receivedAtMs: number): void {
    clockOffset.observe(date, sentAtMs, receivedAtMs)
    const { offsetMs, errorMs } = clockOffset.value() ?? { offsetMs: 0, errorMs: 0 }
    const wasWrong = isClockWrong
    isClockWrong = Math.abs(offsetMs) - errorMs > wrongClockMs
    if (!isClockWrong || wasWrong) return
    const seconds = `${Math.abs(offsetMs / 1_000).toFixed(1)} s ${offsetMs > 0 ? 'behind' : 'ahead of'}`
    const message = `This machine's clock is ${seconds} the service's; set it (NTP), or stamp positions with agent.serviceTime()`
    notify(onAlarm, new AgentError('clock_wrong', message))
  }

  async function append(positions: readonly string[]): Promise<void> {
    if (closing) throw new AgentError('agent_closed', 'The agent is closed; no position was stored')
    if (positions.length === 0) return
    const { dropped } = await spool.append(positions, clock.now())
    reported += positions.length
    courier.appended()
    if (dropped > 0) notify(onDropped, dropped)
  }

  async function close({ drain = true, drainMs = 10_000 }: CloseOptions = {}): Promise<AgentStats> {
    if (drain) {
      const drained = new AbortController()
      courier.skipBackoff()
      await Promise.race([courier.flush(), clock.sleep(drainMs, drained.signal)])
      drained.abort()
    }
    const { entries } = spool.counters()
    stop.abort(new AgentError('agent_closed', `The agent was closed; ${entries} positions stay in the spool`))
    await courier.ended
    try {
      await spool.close?.()
    } catch (cause) {
      const alarm = new AgentError('spool_unwritable', `The spool cannot be closed: ${toReason(cause)}`, { cause })
      notify(onAlarm, cause instanceof AgentError ? cause : alarm)
    }
    return stats()
  }

  function stats(): AgentStats {
    const { entries: spooled, bytes: spooledBytes, dropped } = spool.counters()
    return {
      reported,
      dropped: dropped - droppedBefore,
      spooled,
      spooledBytes,
      ...courier.counters(),
      bytesSent: sendBatch.bytesSent(),
      clockOffset: clockOffset.value(),
    }
  }
}

function checkSensor(sensor: SensorState): SensorState {
  const { issues } = safeParse(vSensorState, sensor, { abortEarly: true })
  if (!issues) return sensor
  const [issue] = issues
  throw new TypeError(
    `"sensor${issue ? `.${getDotPath(issue) ?? ''}` : ''}" does not match the document: ${issue.message}`,
  )
}

function toList<T>(value: T | readonly T[]): readonly T[] {
  // Array.isArray does not narrow readonly arrays.
  return Array.isArray(value) ? value : [value as T]
}

/** An error in the callback becomes an uncaught exception; it does not stop the courier. */
function notify<T>(listener: ((value: T) => void) | undefined, value: T): void {
  if (listener) queueMicrotask(() => listener(value))
}
