/**
 * Gauges of the report log and the delivery log: waiting entries, age of the oldest, buried entries.
 * In: the logs, read at each scrape. Out: Prometheus gauges. A log that cannot be read is left out.
 */
import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../ports/clock.ts'
import type { Log, LogDepth } from '../ports/storage/log.ts'

export interface LogGaugesOptions {
  registry: Registry
  logs: Record<string, Log>
  clock: Clock
}

export function addLogGauges({ registry, logs, clock }: LogGaugesOptions): void {
  let inFlight: Promise<[log: string, depth: LogDepth | undefined][]> | undefined

  /** The gauges are collected concurrently and share one read. */
  function readDepths() {
    inFlight ??= Promise.all(
      Object.entries(logs).map(async ([log, port]): Promise<[string, LogDepth | undefined]> => {
        // `/readyz` reports unavailable storage.
        return [log, await port.depth().catch(() => undefined)]
      }),
    ).finally(() => (inFlight = undefined))
    return inFlight
  }

  function add(name: string, help: string, toValue: (depth: LogDepth) => number): void {
    new Gauge({
      name,
      help,
      labelNames: ['log'],
      registers: [registry],
      async collect() {
        this.reset()
        for (const [log, depth] of await readDepths()) if (depth) this.set({ log }, toValue(depth))
      },
    })
  }

  add('posrep_log_waiting', 'Entries waiting in a log', ({ waiting }) => waiting)
  add('posrep_log_buried', 'Buried entries in a log', ({ buried }) => buried)
  add('posrep_log_oldest_seconds', 'Age of the oldest waiting entry of a log', ({ oldestAppendedAtMs: atMs }) =>
    atMs === null ? 0 : Math.max(0, clock.now() - atMs) / 1_000,
  )
}
