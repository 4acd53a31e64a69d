/** The line that a terminal shows while the agent runs. In: the monitor. Out: one line per second; nothing where it cannot be replaced. */
import { systemClock } from '../../ports.ts'
import type { Output } from '../output.ts'
import type { Monitor, Snapshot } from './monitor.ts'

export function showStatusLine(monitor: Monitor, output: Output): { end(): void } {
  if (!output.isTerminal) return { end: () => {} }
  let last = { atMs: systemClock.now(), accepted: 0 }
  const timer = setInterval(() => {
    const snapshot = monitor.snapshot()
    const atMs = systemClock.now()
    const perSecond = ((snapshot.accepted - last.accepted) * 1_000) / Math.max(1, atMs - last.atMs)
    last = { atMs, accepted: snapshot.accepted }
    output.status(toLine(snapshot, perSecond))
  }, 1_000)
  return {
    end() {
      clearInterval(timer)
      output.status('')
    },
  }
}

export function toLine(
  { sensor, accepted, spooled, backlog, refused, dropped, online, lastFailure }: Snapshot,
  perSecond: number,
): string {
  const link =
    online === undefined ? 'connecting' : online ? 'online' : `offline (${lastFailure?.message ?? 'no answer'})`
  const counts = [`${accepted} accepted`, `${perSecond.toFixed(1)}/s`, `${spooled} in the spool`]
  if (backlog > 0) counts.push(`${backlog} of them old`)
  if (refused > 0) counts.push(`${refused} refused`)
  if (dropped > 0) counts.push(`${dropped} dropped`)
  return `${sensor} · ${link} · ${counts.join(' · ')}`
}
