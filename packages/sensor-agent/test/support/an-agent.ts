/** An agent with a manual clock and a fake network. */
import type { PositionData } from '@posrep/spec'
import { createAgent } from '../../src/agent.ts'
import type { AgentOptions } from '../../src/agent-interface.ts'
import type { BatchOutcome, RefusedPosition } from '../../src/delivery/courier.ts'
import type { AgentError } from '../../src/errors.ts'
import type { TokenSource } from '../../src/tokens/token-source.ts'
import { createManualClock } from './manual-clock.ts'
import { type Answer, aNetwork } from './network.ts'

export function anAgent(answer?: Answer, options: Partial<AgentOptions> = {}) {
  const clock = createManualClock()
  const network = aNetwork(answer)
  const outcomes: BatchOutcome[] = []
  const refused: RefusedPosition[] = []
  const alarms: AgentError[] = []
  const dropped: number[] = []
  const agent = createAgent({
    ingestOrigin: new URL('https://ingest.example'),
    sensor: 'roof1',
    tokens: aTokenSource(),
    clock,
    fetch: network.fetch,
    random: () => 1,
    gzipFromBytes: Number.POSITIVE_INFINITY,
    onOutcome: (outcome) => outcomes.push(outcome),
    onRefused: (positions) => void refused.push(...positions),
    onAlarm: (error) => alarms.push(error),
    onDropped: (positions) => dropped.push(positions),
    ...options,
  })
  return { agent, clock, network, outcomes, refused, alarms, dropped }
}

/** A token source that returns `token-1`; each refresh increases the number. */
export function aTokenSource(): TokenSource & { refreshes: string[] } {
  const refreshes: string[] = []
  return {
    refreshes,
    get: async () => `token-${refreshes.length + 1}`,
    refresh: async (stale) => {
      refreshes.push(stale)
      return `token-${refreshes.length + 1}`
    },
  }
}

export function aPosition(id: string | number = 'p1', rest: Partial<PositionData> = {}): PositionData {
  return { id: String(id), sourceTimeStamp: '2026-11-21T12:00:00Z', position: { lat: 60.3, lon: 24.9 }, ...rest }
}

/** Positions with the ids from `first` to `last`. */
export function positions(first: number, last: number): PositionData[] {
  return ids(first, last).map((id) => aPosition(id))
}

export function ids(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => String(first + at))
}
