/**
 * The metrics of the process. In: events of the rooms. Out: Prometheus' text for `/metrics`, totals for the demo's
 * status line.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Clock } from '../ports/clock.ts'
import type { AirMeter, Meter } from '../ports/meter.ts'
import type { Log } from '../ports/storage/log.ts'
import type { FindPartsAway } from '../ports/storage/storage-parts.ts'
import { addLogGauges } from './log-gauges.ts'

export interface MeterTotals {
  acceptedPositions: number
  processedPositions: number
  relayedPositions: number
  /** The lag of the reports that last left the pipeline. */
  lagMs: number
}

export interface Metrics {
  meter: Meter
  airMeter: AirMeter
  totals(): MeterTotals
  request(operationId: string, status: number, seconds: number): void
  /** @param commit `calls`: the number of writes in the commit. */
  commit(commit: { calls: number; seconds: number }): void
  /** In Prometheus' text format. */
  text(): Promise<string>
}

const requestSeconds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]
const lagSeconds = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 60, 300, 3600]
const commitCalls = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
const commitSeconds = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2.5]

export interface MetricsOptions {
  logs: Record<string, Log>
  clock: Clock
  /** Default: the storage has no parts. */
  findPartsAway?: FindPartsAway | undefined
}

export function createMetrics({ logs, clock, findPartsAway }: MetricsOptions): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: 'posrep_' })

  const requests = new Histogram({
    name: 'posrep_request_seconds',
    help: 'Requests by operation and status',
    labelNames: ['operation', 'status'],
    buckets: requestSeconds,
    registers,
  })
  const reports = new Counter({
    name: 'posrep_reports_total',
    help: 'Reports by step',
    labelNames: ['step'],
    registers,
  })
  const positions = new Counter({
    name: 'posrep_positions_total',
    help: 'Positions by step',
    labelNames: ['step'],
    registers,
  })
  const deliveries = new Counter({
    name: 'posrep_deliveries_total',
    help: 'Delivery attempts by outcome',
    labelNames: ['outcome'],
    registers,
  })
  const buried = new Counter({
    name: 'posrep_buried_total',
    help: 'Entries set aside with a reason',
    labelNames: ['log'],
    registers,
  })
  const dropped = new Counter({
    name: 'posrep_dropped_total',
    help: 'Entries dropped because their queue was full',
    labelNames: ['log'],
    registers,
  })
  const lag = new Histogram({
    name: 'posrep_pipeline_lag_seconds',
    help: 'Time from acceptance of a report to the end of the pipeline',
    buckets: lagSeconds,
    registers,
  })
  const airLag = new Histogram({
    name: 'posrep_air_lag_seconds',
    help: 'Time from the pipeline until the positions of a report are in the air picture',
    buckets: lagSeconds,
    registers,
  })
  const airSnapshots = new Counter({
    name: 'posrep_air_snapshots_total',
    help: 'Stored snapshots of air pictures',
    registers,
  })
  const airTargets = new Gauge({
    name: 'posrep_air_targets',
    help: 'Tracks in the air pictures of this process',
    registers,
  })
  const airCrowded = new Gauge({
    name: 'posrep_air_crowded',
    help: 'Tracks of these in crowds, which the alerts did not compare with all others',
    registers,
  })
  const airMoreAlerts = new Gauge({
    name: 'posrep_air_more_alerts',
    help: 'Conditions that are no alerts, because there are too many',
    registers,
  })
  const airLeftOut = new Counter({
    name: 'posrep_air_left_out_total',
    help: 'Positions, tracks and comparisons that the air pictures left out',
    labelNames: ['reason'],
    registers,
  })
  const callsPerCommit = new Histogram({
    name: 'posrep_commit_calls',
    help: 'Writes per commit of the embedded database',
    buckets: commitCalls,
    registers,
  })
  const secondsPerCommit = new Histogram({
    name: 'posrep_commit_seconds',
    help: 'Time from the start of a transaction of the embedded database until it is on disk',
    buckets: commitSeconds,
    registers,
  })
  new Gauge({
    name: 'posrep_clock_offset_seconds',
    help: "The machine's wall clock minus the clock that expiry is judged by",
    registers,
    collect() {
      this.set((clock.wallTime() - clock.now()) / 1000)
    },
  })
  addLogGauges({ registry, logs, clock })
  if (findPartsAway) {
    new Gauge({
      name: 'posrep_storage_parts_away',
      help: 'Parts of the data in a Redis Cluster that cannot be used',
      labelNames: ['part'],
      registers,
      async collect() {
        const { service, partitions } = await findPartsAway()
        this.set({ part: 'service' }, service ? 1 : 0)
        this.set({ part: 'partitions' }, partitions)
      },
    })
  }

  const totals: MeterTotals = { acceptedPositions: 0, processedPositions: 0, relayedPositions: 0, lagMs: 0 }

  return {
    totals: () => ({ ...totals }),
    request: (operation, status, seconds) => requests.observe({ operation, status }, seconds),
    commit({ calls, seconds }) {
      callsPerCommit.observe(calls)
      secondsPerCommit.observe(seconds)
    },
    text: () => registry.metrics(),
    airMeter: {
      correlated(positionCount, lagMs) {
        positions.inc({ step: 'correlated' }, positionCount)
        airLag.observe(lagMs / 1000)
      },
      dropped: (count) => dropped.inc({ log: 'air' }, count),
      setAside: (count) => buried.inc({ log: 'air' }, count),
      snapshotStored: () => airSnapshots.inc(),
      leftOut(counts) {
        for (const [reason, count] of Object.entries(counts)) airLeftOut.inc({ reason }, count)
      },
      pictures({ targets, crowded, moreAlerts }) {
        airTargets.set(targets)
        airCrowded.set(crowded)
        airMoreAlerts.set(moreAlerts)
      },
    },
    meter: {
      accepted(reportCount, positionCount) {
        reports.inc({ step: 'accepted' }, reportCount)
        positions.inc({ step: 'accepted' }, positionCount)
        totals.acceptedPositions += positionCount
      },
      processed(reportCount, positionCount, lagMs) {
        reports.inc({ step: 'processed' }, reportCount)
        positions.inc({ step: 'processed' }, positionCount)
        lag.observe(lagMs / 1000)
        totals.processedPositions += positionCount
        totals.lagMs = lagMs
      },
      buried: (log, entries) => buried.inc({ log }, entries),
      dropped: (log, entries) => dropped.inc({ log }, entries),
      delivered(outcome, positionCount) {
        deliveries.inc({ outcome })
        if (outcome !== 'accepted') return
        positions.inc({ step: 'relayed' }, positionCount)
        totals.relayedPositions += positionCount
      },
    },
  }
}
