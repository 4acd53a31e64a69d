/**
 * The logs in figures: what waits, since when, and what was buried.
 * In: the logs, asked when somebody looks. Out: gauges; of a log that cannot be asked there is none, and the other figures
 * are still there.
 */
import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../ports/clock.ts'
import type { Log, LogDepth } from '../ports/log.ts'

export interface LogGaugesOptions {
  registry: Registry
  logs: Record<string, Log>
  clock: Clock
}

export function addLogGauges({ registry, logs, clock }: LogGaugesOptions): void {
  let asked: Promise<[log: string, depth: LogDepth | undefined][]> | undefined

  /** The gauges are collected together, and ask once. */
  function ask() {
    asked ??= Promise.all(
      Object.entries(logs).map(async ([log, port]): Promise<[string, LogDepth | undefined]> => {
        // The storage being away is told by `/readyz`.
        return [log, await port.depth().catch(() => undefined)]
      }),
    ).finally(() => (asked = undefined))
    return asked
  }

  function add(name: string, help: string, figureOf: (depth: LogDepth) => number): void {
    new Gauge({
      name,
      help,
      labelNames: ['log'],
      registers: [registry],
      async collect() {
        this.reset()
        for (const [log, depth] of await ask()) if (depth) this.set({ log }, figureOf(depth))
      },
    })
  }

  add('posrep_log_waiting', 'Entries that wait in a log', ({ waiting }) => waiting)
  add('posrep_log_buried', 'Entries that were buried and are kept', ({ buried }) => buried)
  add('posrep_log_oldest_seconds', 'How long the oldest entry of a log has waited', ({ oldestAppendedAtMs: atMs }) =>
    atMs === null ? 0 : Math.max(0, clock.now() - atMs) / 1_000,
  )
}
