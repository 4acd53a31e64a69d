/** A small chart of the positions per minute in the last hour. Its label gives the figures in words. */
import type { PositionReportMetric } from '@posrep/spec'

const minuteMs = 60_000
const minutes = 60
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
      viewBox={`0 0 ${minutes} ${height}`}
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

/** Positions in the last whole minute. */
export function toPositionRate(metrics: PositionReportMetric[], nowMs: number): number {
  return toMinutes(metrics, nowMs).at(-2) ?? 0
}

function toMinutes(metrics: PositionReportMetric[], nowMs: number): number[] {
  const first = Math.floor(nowMs / minuteMs) - minutes + 1
  const counts = new Array<number>(minutes).fill(0)
  for (const { windowStart, positions } of metrics) {
    const minute = Math.floor(Date.parse(windowStart) / minuteMs) - first
    if (minute >= 0 && minute < minutes) counts[minute] = positions
  }
  return counts
}
