/**
 * Runs a source with a collecting agent, real sockets and the system's clock; waits end at once with a clock that does
 * not sleep.
 */
import type { PositionData } from '@posrep/spec'
import { onTestFinished } from 'vitest'
import { type Clock, systemClock } from '../../src/ports.ts'
import { checkPositionJson, toPositionJson } from '../../src/positions.ts'
import { runSource, type Source } from '../../src/sources/source.ts'

export interface RunningSource {
  positions: PositionData[]
  unusable: string[]
  states: string[]
  stop(): Promise<void>
  ended: Promise<{ positions: number; unusable: number }>
  /** Resolves when the condition is true. */
  until(isSo: () => boolean): Promise<void>
}

/** A second of sleep lasts a millisecond. */
const quickClock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 1_000, signal) }

export function runASource(source: Source, clock: Clock = quickClock): RunningSource {
  const stop = new AbortController()
  const positions: PositionData[] = []
  const [unusable, states]: [string[], string[]] = [[], []]
  const take = (json: string) => void positions.push(JSON.parse(json))
  const agent = {
    report: async (given: PositionData | readonly PositionData[]) => {
      for (const json of toList(given).map((position) => toPositionJson(position, 'position'))) take(json)
    },
    reportJson: async (given: string | readonly string[]) => {
      for (const json of toList(given).map((json, index) => checkPositionJson(json, `positions[${index}]`))) take(json)
    },
    stats: () => ({ spooledBytes: 0 }),
  }
  const ended = runSource(source, agent, {
    signal: stop.signal,
    clock,
    onUnusable: (message) => unusable.push(message),
    onState: (message) => states.push(message),
  })
  onTestFinished(() => stop.abort())
  return {
    positions,
    unusable,
    states,
    ended,
    async stop() {
      stop.abort()
      await ended
    },
    async until(isSo) {
      while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

function toList<T>(value: T | readonly T[]): readonly T[] {
  // Array.isArray does not narrow readonly arrays.
  return Array.isArray(value) ? value : [value as T]
}
