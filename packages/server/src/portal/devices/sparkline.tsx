/** A small chart of the positions per minute in the last hour. Its label gives the figures in words. */
import type { PositionReportMetric } from '@posrep/spec'
import { lastMinutes } from '../layout/last-minutes.ts'

const height = 20

export interface SparklineProps {
  metrics: PositionReportMetric[]
  nowMs: number
}

export function Sparkline({ metrics, nowMs }: SparklineProps) {
  const perMinute = toMinutes(metrics, nowMs)
  const most = Math.max(1, ...perMinute)
  const total = perMinute.reduce((sum, count) => sum + count, 0)
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${perMinute.length} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${total} positions in the last hour, at most ${Math.max(...perMinute)} a minute`}
    >
      <path d={perMinute.map((count, minute) => toBar(minute, (count / most) * height)).join('')} />
    </svg>
  )
}

/** The SVG path of one bar; empty for a minute without positions. */
function toBar(minute: number, tall: number): string {
  return tall === 0 ? '' : `M${minute} ${height}v${-Math.round(tall * 10) / 10}h.8V${height}z`
}

/** Positions in the last whole minute; undefined while the first one runs. */
export function toPositionRate(metrics: PositionReportMetric[], nowMs: number): number | undefined {
  const perMinute = toMinutes(metrics, nowMs)
  const isFirst = metrics.length > 0 && perMinute.every((count) => count === 0)
  return isFirst ? undefined : perMinute.at(-1)
}

function toMinutes(metrics: PositionReportMetric[], nowMs: number): number[] {
  const positions = new Map(metrics.map((metric) => [Date.parse(metric.windowStart), metric.positions]))
  return lastMinutes(nowMs).map((atMs) => positions.get(atMs) ?? 0)
}
