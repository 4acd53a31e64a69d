/** The agent as its users see it: what it is created with, what it does, and what it counts. */
import type { PositionData, SensorState } from '@posrep/spec'
import type { ClockOffset } from './delivery/clock-offset.ts'
import type { BatchOutcome, RefusedPosition } from './delivery/courier.ts'
import type { DeliveryFailure } from './delivery/link.ts'
import type { AgentError } from './errors.ts'
import type { Clock, Fetch, Random } from './ports.ts'
import type { DropReasons, Spool } from './spool/spool.ts'
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
   * Positions that have waited for this time longer than `maxDelayMs` are the backlog, also those of an earlier
   * process: newer positions are sent first, in order, and the backlog beside them, in order, at its own pace. In ms;
   * `Infinity` keeps the order of all positions. Default 10_000.
   */
  backlogAfterMs?: number
  /** Pace of the backlog, in positions per second. 1 or more. Default 500. */
  backlogPerSecond?: number
  /** Request bodies of at least this size are compressed with gzip, in bytes. `Infinity`: none. Default 1_400. */
  gzipFromBytes?: number
  /** Receives the outcome of each attempt. */
  onOutcome?: (outcome: BatchOutcome) => void
  /**
   * Receives positions that the service will never accept. They leave the spool after it has returned or resolved; if
   * it throws or rejects, they stay and are sent again. Default: they are only counted.
   */
  onRefused?: (refused: RefusedPosition[]) => void | Promise<void>
  /** Receives the number of positions that were dropped, the oldest, and why. */
  onDropped?: (positions: number, reasons: DropReasons) => void
  /**
   * Receives an error that needs a person: wrong credentials, a service that cannot be reached, a clock that is wrong,
   * a full disk. The agent continues to retry. Default: each is printed once on standard error.
   */
  onAlarm?: (error: AgentError) => void
  /**
   * Corrects the times that sources take from this machine's clock: of simulated aircraft, of recordings, and of
   * receivers that say none. The correction is the service's clock minus this machine's, once answers of the service
   * show that they differ. Times that a receiver or your program states are not changed. A position that waited in the
   * spool is corrected when it is sent, also after this machine's clock was set meanwhile. Default false.
   */
  correctClock?: boolean
  clock?: Clock
  fetch?: Fetch
  random?: Random
}

export interface Agent {
  /**
   * Resolves after the spool has stored all positions. They are sent later, in this order.
   *
   * @throws AgentError `invalid_position`, `position_too_large` or `agent_closed`; then no position of this call was
   * stored.
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
  /**
   * Rejects further reports, sends what is in the spool for at most `drainMs`, then stops. Resolves with the final
   * counts.
   */
  close(options?: CloseOptions): Promise<AgentStats>
  stats(): AgentStats
  /**
   * The service's time, in ms since the Unix epoch: the clock corrected by `clockOffset`, or the clock alone before the
   * first answer. For programs that stamp positions on a machine whose clock is wrong.
   */
  serviceTime(): number
  /**
   * What sources add to this machine's time, in ms: 0 without `correctClock`, and until the difference of the clocks is
   * certain.
   */
  clockCorrectionMs(): number
}

export interface CloseOptions {
  /** Whether to send what is in the spool first. Default true. */
  drain?: boolean
  /** Longest time for that, in ms. Default 10_000. */
  drainMs?: number
}

/**
 * Counts positions since `createAgent` unless noted. `reported` = `accepted` + `refused` + `dropped` + `spooled`, if
 * the spool was empty at the start.
 */
export interface AgentStats {
  reported: number
  accepted: number
  refused: number
  /** Dropped by the spool. A position that was being sent at that moment may have arrived. */
  dropped: number
  /** Why positions were dropped, as far as `report()` was called since. */
  dropReasons: DropReasons
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
  /**
   * Why positions were not accepted, last: the failure of an attempt, until a batch is accepted, or a refusal, which
   * stays. Undefined if there was none.
   */
  lastFailure: DeliveryFailure | undefined
  /**
   * The service's clock minus this machine's, from the `Date` header, with its greatest error. Undefined before the
   * first answer.
   */
  clockOffset: ClockOffset | undefined
  /**
   * Whether the clocks differ by more than 5 s now, and not only because this machine's clock was set back and is
   * followed slowly.
   */
  clockWrong: boolean
  /** How far this machine's clock was set back and the agent's has not followed yet, in ms. See `Clock`. */
  clockSetBackMs: number
}
