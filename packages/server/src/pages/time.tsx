/** A time relative to now, such as "3 minutes ago". The exact time in UTC shows on hover and on focus. */

export interface TimeProps {
  atMs: number
  nowMs: number
}

const steps: [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['day', 24 * 60 * 60_000],
  ['hour', 60 * 60_000],
  ['minute', 60_000],
]
const words = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

export function Time({ atMs, nowMs }: TimeProps) {
  const iso = new Date(atMs).toISOString()
  return (
    // Focusable, so that the exact time can be shown by keyboard and on a touch screen.
    <time class="time" dateTime={iso} tabindex={0} data-exact={`${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`}>
      {toRelative(atMs, nowMs)}
    </time>
  )
}

export function toRelative(atMs: number, nowMs: number): string {
  const agoMs = nowMs - atMs
  for (const [unit, ms] of steps) if (agoMs >= ms) return words.format(-Math.floor(agoMs / ms), unit)
  return 'just now'
}
