/** The charts of a device: positions and reports per minute of the last hour, and the time its relay took for the latest messages. */
import type { Delivery, Device } from '@posrep/spec'
import { Chart } from '../layout/chart.tsx'

export interface DeviceChartsProps {
  device: Device
  /** Newest first. */
  delivered: Delivery[]
  nowMs: number
}

const minuteMs = 60_000
const minutes = 60
/** Messages further apart are not joined by a line. */
const gapMs = 60_000

export function DeviceCharts({ device, delivered, nowMs }: DeviceChartsProps) {
  const metrics = new Map(
    (device.positionReportMetrics ?? []).map((metric) => [Date.parse(metric.windowStart), metric]),
  )
  const times = lastMinutes(nowMs)
  const answers = delivered
    .flatMap(({ attempts }) => attempts.slice(-1))
    .map(({ startedAt, durationMilliseconds }) => ({ atMs: Date.parse(startedAt), durationMilliseconds }))
    .sort((a, b) => a.atMs - b.atMs)
    .flatMap((answer, index, all) => {
      const before = all[index - 1]
      const isAfterGap = before !== undefined && answer.atMs - before.atMs > gapMs
      return isAfterGap ? [{ atMs: before.atMs + 1_000, durationMilliseconds: null }, answer] : [answer]
    })
  return (
    <section class="panel part" aria-labelledby="charts-heading">
      <h2 id="charts-heading">Last hour</h2>
      <Chart
        id="rate-chart"
        title="Positions and reports a minute"
        unit=""
        times={times}
        series={[
          { label: 'Positions', values: times.map((atMs) => metrics.get(atMs)?.positions ?? 0) },
          { label: 'Reports', values: times.map((atMs) => metrics.get(atMs)?.reports ?? 0) },
        ]}
      />
      {device.relayDetails && (
        <Chart
          id="latency-chart"
          title="Time to the relay's answer, latest messages"
          unit="ms"
          times={answers.map(({ atMs }) => atMs)}
          series={[{ label: 'Took', values: answers.map(({ durationMilliseconds }) => durationMilliseconds) }]}
        />
      )}
    </section>
  )
}

/** The starts of the whole minutes of the last hour, in ms. */
export function lastMinutes(nowMs: number): number[] {
  const last = Math.floor(nowMs / minuteMs) - 1
  return Array.from({ length: minutes }, (_, index) => (last - minutes + 1 + index) * minuteMs)
}
