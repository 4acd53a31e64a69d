/** Reports per minute of the metric window, as a small drawing with the figures in words. */
import type { PositionReportMetric } from '@posrep/spec'

const minuteMs = 60_000
const minutes = 60

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
      viewBox={`0 0 ${minutes} 20`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${total} reports in the last hour, at most ${Math.max(...perMinute)} a minute`}
    >
      {perMinute.map((count, minute) => {
        const height = (count / most) * 20
        // A minute has its place and no other name.
        return <rect key={minute} x={minute} y={20 - height} width={0.8} height={height} />
      })}
    </svg>
  )
}

/** Reports in the last whole minute. */
export function toRate(metrics: PositionReportMetric[], nowMs: number): number {
  return toMinutes(metrics, nowMs).at(-2) ?? 0
}

function toMinutes(metrics: PositionReportMetric[], nowMs: number): number[] {
  const first = Math.floor(nowMs / minuteMs) - minutes + 1
  const counts = new Array<number>(minutes).fill(0)
  for (const { windowStart, reports } of metrics) {
    const minute = Math.floor(Date.parse(windowStart) / minuteMs) - first
    if (minute >= 0 && minute < minutes) counts[minute] = reports
  }
  return counts
}

/** When the last minute with reports began. */
export function findLastReportMs(metrics: PositionReportMetric[]): number | undefined {
  const last = metrics.at(-1)
  return last && Date.parse(last.windowStart)
}
