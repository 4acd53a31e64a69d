/**
 * What a source is: anything that reports positions to an agent until it ends or is stopped.
 * In: a sink for positions, and the signal that stops the source. Out: when it ended, how many inputs could not be
 * used.
 */
import type { PositionData } from '@posrep/spec'
import { AgentError } from '../errors.ts'
import { systemFetch } from '../network/system-fetch.ts'
import { type Clock, type Fetch, type Random, systemClock, systemRandom } from '../ports.ts'
import { countReason, type ReasonCounts, type UnusableReason } from './reasons.ts'

export interface Source {
  /** Shown in messages and in the status, for example `SBS 127.0.0.1:30003`. */
  readonly name: string
  /**
   * Reports positions until the source ends, or until `sink.signal` aborts. A failure that passes, such as a lost
   * connection, is told with `sink.state()` and retried by the source; it rejects when trying again cannot help.
   */
  run(sink: Sink): Promise<void>
}

export interface Sink {
  /**
   * Resolves after the agent has stored the positions. Each one that is not valid or too large (`invalid_position`,
   * `position_too_large`) is counted as unusable, and the others are stored; the first such error is returned. Rejects
   * for every other error. `where` is put in front of the message.
   */
  report(positions: PositionData | readonly PositionData[], where?: string): Promise<AgentError | undefined>
  /**
   * Like `report()`, for JSON text, which is sent unchanged; but one text that is not a position refuses all of the
   * call.
   */
  reportJson(positions: string | readonly string[], where?: string): Promise<AgentError | undefined>
  /**
   * Counts an input that contains no usable position. The message says where it was, and what was wrong; it is the same
   * for the same trouble. Default reason: `unreadable`.
   */
  unusable(message: string, reason?: UnusableReason): void
  /**
   * Counts a position that was read without this part, because it could not be read. `time`: it has the time of this
   * machine.
   */
  partial(part: string): void
  /** Tells what the source is doing: `connected`, `connection lost: …; retrying in 2 s`. */
  state(message: string): void
  /**
   * Resolves when the spool has room again, or when the source is stopped. For what can wait without a loss, such as a
   * file. A live source does not call it: while it waited, its positions would grow old outside of the spool.
   */
  room(): Promise<void>
  /**
   * The time to write into a position for a time of `clock`: the same, or corrected, if the agent has `correctClock`
   * and this machine's clock is wrong. Intervals and waits use `clock` alone, because a correction may jump.
   */
  toStampMs(clockMs: number): number
  /** Stops the source. */
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly fetch: Fetch
  readonly random: Random
}

/** The part of an agent that a source needs. */
export interface SourceAgent {
  report(positions: PositionData | readonly PositionData[]): Promise<void>
  reportJson(positions: string | readonly string[]): Promise<void>
  stats(): { spooledBytes: number }
  clockCorrectionMs?(): number
}

export interface RunSourceOptions {
  signal?: AbortSignal
  /** Receives a message for each input that cannot be used. */
  onUnusable?: (message: string, reason: UnusableReason) => void
  /** Receives each part without which a position was read; see `Sink.partial`. */
  onPartial?: (part: string) => void
  /** Receives the number of positions that the agent has just stored. */
  onStored?: (positions: number) => void
  onState?: (message: string) => void
  /**
   * A source that can wait does so while the spool has more bytes: at most half of what the spool takes. Default 16
   * MiB.
   */
  maxSpooledBytes?: number
  clock?: Clock
  fetch?: Fetch
  random?: Random
}

export interface SourceSummary {
  /** Positions that the agent stored. */
  positions: number
  unusable: number
  /** Of `unusable`, how many for which reason. */
  reasons: ReasonCounts
}

const roomPollMs = 100

/**
 * Names a source. It is the way to write your own: a broker, a serial port, a protocol of your sensor.
 *
 * @example
 * ```ts
 * import type { PositionData } from '@posrep/spec'
 * import { defineSource } from '@posrep/sensor-agent/sources'
 *
 * export const fromRadar = (positions: AsyncIterable<PositionData>) =>
 *   defineSource('radar', async ({ report }) => {
 *     for await (const position of positions) await report(position)
 *   })
 * ```
 */
export function defineSource(name: string, run: (sink: Sink) => Promise<void>): Source {
  if (name.trim() === '') throw new TypeError('"name" must not be empty')
  return { name, run }
}

/** Runs a source until it ends. Rejects with the error of the source, or of the agent. */
export async function runSource(
  source: Source,
  agent: SourceAgent,
  {
    signal = new AbortController().signal,
    onUnusable,
    onPartial,
    onStored,
    onState,
    maxSpooledBytes = 16 * 1_024 * 1_024,
    clock = systemClock,
    fetch = systemFetch,
    random = systemRandom,
  }: RunSourceOptions = {},
): Promise<SourceSummary> {
  const summary: SourceSummary = { positions: 0, unusable: 0, reasons: {} }
  const unusable = (message: string, reason: UnusableReason = 'unreadable') => {
    summary.unusable += 1
    countReason(summary.reasons, reason)
    onUnusable?.(message, reason)
  }
  await source.run({
    report: reportEach,
    async reportJson(positions, where) {
      const error = await store(agent.reportJson(positions), countOf(positions))
      if (error) tellUnusable(error, where)
      return error
    },
    unusable,
    partial: (part) => onPartial?.(part),
    state: (message) => onState?.(message),
    async room() {
      while (!signal.aborted && agent.stats().spooledBytes > maxSpooledBytes) {
        await clock.sleep(roomPollMs, signal)
        // Rejects when the agent was closed: the spool would never get room.
        await agent.report([])
      }
    },
    toStampMs: (clockMs) => clockMs + (agent.clockCorrectionMs?.() ?? 0),
    signal,
    clock,
    fetch,
    random,
  })
  return summary

  async function reportEach(positions: PositionData | readonly PositionData[], where?: string) {
    const error = await store(agent.report(positions), countOf(positions))
    if (!error) return undefined
    const list = toList(positions)
    if (list.length > 1) for (const position of list) await reportEach(position, where)
    else tellUnusable(error, where)
    return error
  }

  /** Resolves with the error when the agent refused the positions because one of them is unusable. */
  async function store(stored: Promise<void>, count: number): Promise<AgentError | undefined> {
    try {
      await stored
      summary.positions += count
      onStored?.(count)
      return undefined
    } catch (error) {
      if (error instanceof AgentError && isUnusable(error)) return error
      throw error
    }
  }

  function tellUnusable({ code, message }: AgentError, where = ''): void {
    unusable(
      where === '' ? message : `${where}: ${message}`,
      code === 'position_too_large' ? 'position_too_large' : 'invalid_position',
    )
  }
}

function countOf(positions: unknown): number {
  return toList(positions).length
}

function toList<T>(value: T | readonly T[]): readonly T[] {
  // Array.isArray does not narrow readonly arrays.
  return Array.isArray(value) ? value : [value as T]
}

function isUnusable({ code }: AgentError): boolean {
  return code === 'invalid_position' || code === 'position_too_large'
}
