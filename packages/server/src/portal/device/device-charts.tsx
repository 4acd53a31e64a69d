/**
 * The charts of a device for the last hour: positions, reports and deliveries per minute, and how long its relay took
 * to answer.
 */
import type { DeliveryMetric, Device } from '@posrep/spec'
import { Chart } from '../layout/chart.tsx'
import { lastMinutes } from '../layout/last-minutes.ts'

export interface DeviceChartsProps {
  device: Device
  deliveryMetrics: readonly DeliveryMetric[]
  nowMs: number
}

export function DeviceCharts({ device, deliveryMetrics, nowMs }: DeviceChartsProps) {
  const metrics = byMinute(device.positionReportMetrics ?? [])
  const deliveries = byMinute(deliveryMetrics)
  const times = lastMinutes(nowMs)
  return (
    <section class="panel part" aria-labelledby="charts-heading">
      <h2 id="charts-heading">Last hour</h2>
      <div class="charts">
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
        {(device.relayDetails || deliveryMetrics.length > 0) && (
          <>
            <Chart
              id="deliveries-chart"
              title="Deliveries a minute"
              unit=""
              times={times}
              series={[
                { label: 'Delivered', values: times.map((atMs) => deliveries.get(atMs)?.delivered ?? 0) },
                { label: 'Failed attempts', values: times.map((atMs) => deliveries.get(atMs)?.failedAttempts ?? 0) },
              ]}
            />
            <Chart
              id="latency-chart"
              title="Time to the relay's answer"
              unit="ms"
              times={times}
              series={[
                {
                  label: 'Average',
                  values: times.map((atMs) => toNumber(deliveries.get(atMs)?.averageAnswerMilliseconds)),
                },
                {
                  label: 'Longest',
                  values: times.map((atMs) => toNumber(deliveries.get(atMs)?.longestAnswerMilliseconds)),
                },
              ]}
            />
          </>
        )}
      </div>
    </section>
  )
}

function byMinute<T extends { windowStart: string }>(metrics: readonly T[]): Map<number, T> {
  return new Map(metrics.map((metric) => [Date.parse(metric.windowStart), metric]))
}

function toNumber(value: number | null | undefined): number | null {
  return value ?? null
}
