/**
 * Runs the command: gets a token, reads the source until it ends or a signal arrives, then sends what is in the spool.
 * In: tokens and a source. Out: the exit code. 0 = everything was accepted; 1 = something was not; 2 = a wrong setting.
 * SIGTERM and SIGINT stop the source and allow ten seconds for the spool; a second signal ends the process at once.
 */
import { type Agent, type AgentStats, createAgent } from '../agent.ts'
import type { BatchOutcome } from '../courier.ts'
import { AgentError, toReason } from '../errors.ts'
import type { Fetch } from '../ports.ts'
import type { TokenSource } from '../tokens/token-source.ts'

/** Reports its positions to the agent; resolves with the number of positions that it could not read. */
export type Source = (agent: Agent, signal: AbortSignal) => Promise<number>

export interface RunOptions {
  ingestOrigin: URL
  sensor: string
  tokens: TokenSource
  fetch: Fetch
  source: Source
  /** Must resolve before the source starts. Default: get a token. */
  begin?: (signal: AbortSignal) => Promise<unknown>
}

export async function run({
  ingestOrigin,
  sensor,
  tokens,
  fetch,
  source,
  begin = tokens.get,
}: RunOptions): Promise<number> {
  const stop = stopOnSignals()
  try {
    await begin(stop)
  } catch (error) {
    if (stop.aborted) return 0
    if (isFinal(error)) {
      log(`error: ${error.message}`)
      return 2
    }
    log(`no token yet: ${toReason(error)}`)
  }

  const agent = createAgent({
    ingestOrigin,
    sensor,
    tokens,
    fetch,
    onOutcome: logOutcome,
    onAlarm: logAlarm,
    onDropped: logDropped,
  })
  let unreadable = 0
  try {
    unreadable = await source(agent, stop)
    if (!stop.aborted) await Promise.race([agent.flush(), untilAborted(stop)])
  } catch (error) {
    if (!stop.aborted) {
      log(`error: ${error instanceof AgentError ? error.message : toReason(error)}`)
      unreadable += 1
    }
  }

  const stats = await agent.close()
  logSummary(stats, unreadable)
  const { refused, dropped, spooled } = stats
  return spooled > 0 || (!stop.aborted && unreadable + refused + dropped > 0) ? 1 : 0
}

export function log(line: string): void {
  process.stderr.write(`posrep-agent: ${line}\n`)
}

function isFinal(error: unknown): error is AgentError {
  return (
    error instanceof AgentError && ['credentials_refused', 'pairing_denied', 'pairing_expired'].includes(error.code)
  )
}

function stopOnSignals(): AbortSignal {
  const stop = new AbortController()
  const onSignal = () => {
    if (stop.signal.aborted) process.exit(130)
    stop.abort(new Error('stopped by a signal'))
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  return stop.signal
}

function logOutcome(outcome: BatchOutcome): void {
  if (outcome.kind === 'accepted') return
  const next = outcome.kind === 'retry' ? `retrying in ${(outcome.afterMs / 1_000).toFixed(1)} s` : 'refused'
  log(`${outcome.positions} positions: ${outcome.reason}; ${next}`)
}

function logAlarm(error: AgentError): void {
  log(`action required: ${error.message}`)
}

function logDropped(positions: number): void {
  log(`the spool is full: dropped the ${positions} oldest positions`)
}

function logSummary({ accepted, refused, dropped, spooled }: AgentStats, unreadable: number): void {
  log(`${accepted} accepted, ${refused} refused, ${dropped} dropped, ${spooled} not sent, ${unreadable} unreadable`)
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
