/**
 * A moment: "3 s ago" up to a minute, the clock time beyond, the date on other days. The exact time in UTC shows on
 * hover. In UTC, with its name; in browsers that run scripts, `browser/times.js` shows the time of the browser's zone
 * and keeps it current.
 */

export interface TimeProps {
  atMs: number
  nowMs: number
  /** Also a time of the last minute as a clock time, to stand after "since". Default false. */
  isClock?: boolean
}

const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

export function Time({ atMs, nowMs, isClock = false }: TimeProps) {
  const iso = new Date(atMs).toISOString()
  return (
    <time
      class="time"
      dateTime={iso}
      data-exact={`${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`}
      data-clock={isClock ? '' : undefined}
    >
      {isClock ? toClockText(atMs, nowMs) : toTimeText(atMs, nowMs)}
    </time>
  )
}

export function toTimeText(atMs: number, nowMs: number): string {
  const agoSeconds = Math.floor((nowMs - atMs) / 1_000)
  if (agoSeconds >= 0 && agoSeconds < 60) return `${agoSeconds} s ago`
  if (agoSeconds < 0 && agoSeconds > -60) return `in ${-agoSeconds} s`
  return toClockText(atMs, nowMs)
}

function toClockText(atMs: number, nowMs: number): string {
  const iso = new Date(atMs).toISOString()
  if (iso.slice(0, 10) === new Date(nowMs).toISOString().slice(0, 10)) return `${iso.slice(11, 19)} UTC`
  return `${date.format(atMs)}, ${iso.slice(11, 16)} UTC`
}
