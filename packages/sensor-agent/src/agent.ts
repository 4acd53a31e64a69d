/**
 * The agent beside a sensor.
 * In: positions. Out: reports that the service has accepted, in order, each position at least once.
 * What `report()` has taken leaves the spool only when the service accepts it, refuses it for good, or the spool's bound is
 * hit; each of the three is counted and told.
 */
import type { PositionData, SensorState } from '@posrep/spec'
import { vSensorState } from '@posrep/spec/validators'
import { getDotPath, safeParse } from 'valibot'
import { checkNumber, checkOrigin, checkWholeNumber } from './check-option.ts'
import { type BatchOutcome, createCourier, type RefusedPosition } from './courier.ts'
import { AgentError } from './errors.ts'
import { type Clock, type Fetch, type Random, systemClock, systemFetch, systemRandom } from './ports.ts'
import { checkPositionJson, toPositionJson } from './positions.ts'
import { createSendBatch } from './send-batch.ts'
import { memorySpool } from './spool/memory-spool.ts'
import type { Spool } from './spool/spool.ts'
import type { TokenSource } from './tokens/token-source.ts'

export interface AgentOptions {
  /** Base address of the surveillance ingest, `{base_url}`. HTTPS, or HTTP on this machine. */
  ingestOrigin: URL
  /** The sensor's state, or its local ID alone. Sent with each report; it must be the sensor of the token. */
  sensor: SensorState | string
  /** Where the device token comes from: `clientCredentials()` or `pairing()`. */
  tokens: TokenSource
  /** Where positions wait. Default: `memorySpool()`, 64 MiB. */
  spool?: Spool
  /** Positions per request. 1-1000. Default 100. */
  batchSize?: number
  /** Size of a request's body, in bytes. 1024-1048576. Default 524_288. A larger position goes alone. */
  batchBytes?: number
  /** Longest wait before a partial batch is sent, in ms. Default 1_000. */
  maxDelayMs?: number
  /** Longest wait for a complete answer, in ms. Default 10_000. */
  deadlineMs?: number
  /** How each attempt ended. */
  onOutcome?: (outcome: BatchOutcome) => void
  /**
   * Takes what the service will never accept. They leave the spool after it has returned or resolved; if it throws, they
   * stay and are tried again. Default: they are only counted.
   */
  onRefused?: (refused: RefusedPosition[]) => void | Promise<void>
  /** So many of the oldest positions had to make room. */
  onDropped?: (positions: number) => void
  /** Somebody has to look: waiting alone will not help. The agent keeps trying. */
  onAlarm?: (error: AgentError) => void
  clock?: Clock
  fetch?: Fetch
  random?: Random
}

export interface Agent {
  /**
   * Resolves after the spool has all of them; they are sent later. Several go in their order.
   *
   * @throws AgentError `invalid_position`, `position_too_large` or `agent_closed`; nothing of the call was taken.
   */
  report(positions: PositionData | readonly PositionData[]): Promise<void>
  /** As `report()`, for a position that is JSON text already: it is sent byte for byte. */
  reportJson(positions: string | readonly string[]): Promise<void>
  /**
   * Sends at once what is in the spool; resolves when all of it was accepted, refused or dropped.
   *
   * @throws AgentError `agent_closed` when the agent is closed before.
   */
  flush(): Promise<void>
  /** Takes no more, empties the spool for at most `drainMs`, then stops. Resolves with the final counts. */
  close(options?: CloseOptions): Promise<AgentStats>
  stats(): AgentStats
}

export interface CloseOptions {
  /** Whether to empty the spool first. Default true. */
  drain?: boolean
  /** Longest time for that, in ms. Default 10_000. */
  drainMs?: number
}

/** Positions, if nothing else is said. `reported` = `accepted` + `refused` + `dropped` + `spooled`, for a spool that began empty. */
export interface AgentStats {
  reported: number
  accepted: number
  refused: number
  /** Made room when the bound was hit. One whose request was under way may have arrived nevertheless. */
  dropped: number
  spooled: number
  spooledBytes: number
  requests: number
  /** Requests that have to be made again. */
  retries: number
}

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
  onOutcome,
  onRefused,
  onDropped,
  onAlarm,
  clock = systemClock,
  fetch = systemFetch,
  random = systemRandom,
}: AgentOptions): Agent {
  checkOrigin('ingestOrigin', ingestOrigin)
  checkWholeNumber('batchSize', batchSize, 1, 1_000)
  checkWholeNumber('batchBytes', batchBytes, 1_024, 1_048_576)
  checkNumber('maxDelayMs', maxDelayMs, 0)
  checkNumber('deadlineMs', deadlineMs, 1)
  const state = checkSensor(typeof sensor === 'string' ? { id: sensor } : sensor)

  const stop = new AbortController()
  const sendBatch = createSendBatch({
    ingestOrigin,
    sensor: state,
    tokens,
    clock,
    fetch,
    deadlineMs,
    signal: stop.signal,
  })
  const courier = createCourier({
    spool,
    sendBatch,
    batchSize,
    batchBytes: Math.max(1, batchBytes - sendBatch.envelopeBytes),
    maxDelayMs,
    clock,
    random,
    tellOutcome: (outcome) => tell(onOutcome, outcome),
    tellAlarm: (error) => tell(onAlarm, error),
    setAside: (refused) => onRefused?.(refused),
    signal: stop.signal,
  })
  let reported = 0
  let closing: Promise<AgentStats> | undefined

  return {
    async report(positions) {
      await take(toList(positions).map((position, at) => toPositionJson(position, `positions[${at}]`)))
    },
    async reportJson(positions) {
      await take(toList(positions).map((json, at) => checkPositionJson(json, `positions[${at}]`)))
    },
    flush: courier.flush,
    close(options) {
      closing ??= close(options)
      return closing
    },
    stats,
  }

  async function take(positions: readonly string[]): Promise<void> {
    if (closing) throw new AgentError('agent_closed', 'The agent is closed; nothing was taken')
    if (positions.length === 0) return
    const { dropped } = await spool.append(positions, clock.now())
    reported += positions.length
    courier.appended()
    if (dropped > 0) tell(onDropped, dropped)
  }

  async function close({ drain = true, drainMs = 10_000 }: CloseOptions = {}): Promise<AgentStats> {
    if (drain) {
      const drained = new AbortController()
      courier.hurry()
      await Promise.race([courier.flush(), clock.sleep(drainMs, drained.signal)])
      drained.abort()
    }
    const { entries } = spool.counters()
    stop.abort(new AgentError('agent_closed', `The agent was closed with ${entries} positions in its spool`))
    await courier.ended
    return stats()
  }

  function stats(): AgentStats {
    const { entries: spooled, bytes: spooledBytes, dropped } = spool.counters()
    return { reported, dropped, spooled, spooledBytes, ...courier.counters() }
  }
}

function checkSensor(sensor: SensorState): SensorState {
  const { issues } = safeParse(vSensorState, sensor, { abortEarly: true })
  if (!issues) return sensor
  const [issue] = issues
  throw new TypeError(
    `"sensor${issue ? `.${getDotPath(issue) ?? ''}` : ''}" is not what the document says: ${issue.message}`,
  )
}

function toList<T>(value: T | readonly T[]): readonly T[] {
  // Array.isArray does not narrow readonly arrays.
  return Array.isArray(value) ? value : [value as T]
}

/** A listener that throws is its owner's bug: it surfaces as an uncaught error and does not stop the courier. */
function tell<T>(listener: ((value: T) => void) | undefined, value: T): void {
  if (listener) queueMicrotask(() => listener(value))
}
