/**
 * What a source is: anything that reports positions to an agent until it ends or is stopped.
 * In: a sink for positions, and the signal that stops the source. Out: when it ended, how many inputs could not be used.
 */
import type { PositionData } from '@posrep/spec'
import { AgentError } from '../errors.ts'
import { systemFetch } from '../network/system-fetch.ts'
import { type Clock, type Fetch, type Random, systemClock, systemRandom } from '../ports.ts'

export interface Source {
  /** Shown in messages and in the status, for example `SBS 127.0.0.1:30003`. */
  readonly name: string
  /**
   * Reports positions until the source ends, or until `sink.signal` aborts. A failure that passes, such as a lost connection, is told
   * with `sink.state()` and retried by the source; it rejects when trying again cannot help.
   */
  run(sink: Sink): Promise<void>
}

export interface Sink {
  /**
   * Resolves after the agent has stored the positions. `invalid_position` and `position_too_large` are counted as unusable and
   * returned; then none of the positions was stored. Rejects for every other error. `where` is put in front of the message.
   */
  report(positions: PositionData | readonly PositionData[], where?: string): Promise<AgentError | undefined>
  /** Like `report()`, for JSON text, which is sent unchanged. */
  reportJson(positions: string | readonly string[], where?: string): Promise<AgentError | undefined>
  /** Counts an input that contains no usable position. The message says where it was, and what was wrong. */
  unusable(message: string): void
  /** Tells what the source is doing: `connected`, `connection lost: …; retrying in 2 s`. */
  state(message: string): void
  /** Resolves when the spool has room again; a source that can wait calls it, so that positions are not dropped. */
  room(): Promise<void>
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
  flush(): Promise<void>
  stats(): { spooledBytes: number }
}

export interface RunSourceOptions {
  signal?: AbortSignal
  /** Receives a message for each input that cannot be used. */
  onUnusable?: (message: string) => void
  onState?: (message: string) => void
  /** A source that can wait does so while the spool has more bytes. Default 16 MiB. */
  maxSpooledBytes?: number
  clock?: Clock
  fetch?: Fetch
  random?: Random
}

export interface SourceSummary {
  /** Positions that the agent stored. */
  positions: number
  unusable: number
}

/** Names a source. It is the way to write your own: a broker, a serial port, a protocol of your sensor. */
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
    onState,
    maxSpooledBytes = 16 * 1_024 * 1_024,
    clock = systemClock,
    fetch = systemFetch,
    random = systemRandom,
  }: RunSourceOptions = {},
): Promise<SourceSummary> {
  const summary: SourceSummary = { positions: 0, unusable: 0 }
  const unusable = (message: string) => {
    summary.unusable += 1
    onUnusable?.(message)
  }
  await source.run({
    report: (positions, where) => store(agent.report(positions), countOf(positions), where),
    reportJson: (positions, where) => store(agent.reportJson(positions), countOf(positions), where),
    unusable,
    state: (message) => onState?.(message),
    async room() {
      if (agent.stats().spooledBytes > maxSpooledBytes) await agent.flush()
    },
    signal,
    clock,
    fetch,
    random,
  })
  return summary

  async function store(stored: Promise<void>, count: number, where = ''): Promise<AgentError | undefined> {
    try {
      await stored
      summary.positions += count
      return undefined
    } catch (error) {
      if (!(error instanceof AgentError) || !isUnusable(error)) throw error
      unusable(where === '' ? error.message : `${where}: ${error.message}`)
      return error
    }
  }
}

function countOf(positions: unknown): number {
  return Array.isArray(positions) ? positions.length : 1
}

function isUnusable({ code }: AgentError): boolean {
  return code === 'invalid_position' || code === 'position_too_large'
}
