/** A time as people say it, with the exact one in UTC on hover and on focus. */

export interface MomentProps {
  atMs: number
  nowMs: number
}

const steps: [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['day', 24 * 60 * 60_000],
  ['hour', 60 * 60_000],
  ['minute', 60_000],
]
const words = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

export function Moment({ atMs, nowMs }: MomentProps) {
  const iso = new Date(atMs).toISOString()
  return (
    // Focusable: without a pointer, and on a touch screen, it is the way to the exact time.
    <time class="moment" dateTime={iso} tabindex={0} data-exact={`${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`}>
      {toRelative(atMs, nowMs)}
    </time>
  )
}

export function toRelative(atMs: number, nowMs: number): string {
  const agoMs = nowMs - atMs
  for (const [unit, ms] of steps) if (agoMs >= ms) return words.format(-Math.floor(agoMs / ms), unit)
  return 'just now'
}
