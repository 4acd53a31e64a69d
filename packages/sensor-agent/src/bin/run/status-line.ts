/**
 * The line that a terminal shows while the agent runs. In: the monitor. Out: one line per second; nothing where it
 * cannot be replaced.
 */
import { systemClock } from '../../ports.ts'
import type { DropReasons } from '../../spool/spool.ts'
import type { Output } from '../output.ts'
import type { Monitor, Snapshot, SourceStatus } from './monitor.ts'

export function showStatusLine(monitor: Monitor, output: Output): { end(): void } {
  if (!output.isTerminal) return { end: () => {} }
  let last = { atMs: systemClock.elapsed(), accepted: 0 }
  const timer = setInterval(() => {
    const snapshot = monitor.snapshot()
    const atMs = systemClock.elapsed()
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

/** One line for a source: what it is doing, and what became of its input. */
export function toSourceLine({ name, state, positions, unusable, reasons, partial }: SourceStatus): string {
  const parts = [`${positions} positions`]
  if (unusable > 0) parts.push(`${unusable} unusable (${toList(reasons)})`)
  const { time = 0, ...others } = partial
  if (time > 0) parts.push(`${time} with the time of this machine`)
  if (Object.keys(others).length > 0) parts.push(`left out: ${toList(others)}`)
  return `${name}: ${state === '' ? '' : `${state}; `}${parts.join(', ')}`
}

/** `no_identifier 3, null_island 1`, the most frequent first. */
export function toList(counts: Partial<Record<string, number>>): string {
  const sorted = Object.entries(counts).sort(([, a = 0], [, b = 0]) => b - a)
  return sorted.map(([name, count]) => `${name} ${count}`).join(', ')
}

/** Whether the service takes positions, in a few words. */
export function toLink({ online, lastFailure, alarms }: Pick<Snapshot, 'online' | 'lastFailure' | 'alarms'>): string {
  if (online === true) return 'online'
  if (online === false) return `offline (${lastFailure?.message ?? 'no answer'})`
  return alarms.some(({ code }) => code === 'not_paired') ? 'not paired' : 'connecting'
}

export function toLine(
  { sensor, accepted, spooled, backlog, refused, dropped, dropReasons, online, lastFailure, alarms }: Snapshot,
  perSecond: number,
): string {
  const link = toLink({ online, lastFailure, alarms })
  const counts = [`${accepted} accepted`, `${perSecond.toFixed(1)}/s`, `${spooled} in the spool`]
  if (backlog > 0) counts.push(`${backlog} of them old`)
  if (refused > 0) counts.push(`${refused} refused`)
  if (dropped > 0) counts.push(`${dropped} dropped${toWhy(dropReasons)}`)
  return `${sensor} · ${link} · ${counts.join(' · ')}`
}

function toWhy({ full, tooOld, diskFailing }: DropReasons): string {
  const reasons = [
    full > 0 ? `spool full ${full}` : '',
    tooOld > 0 ? `waited more than 7 days ${tooOld}` : '',
    diskFailing > 0 ? `disk not writable ${diskFailing}` : '',
  ].filter((reason) => reason !== '')
  return reasons.length === 0 ? '' : ` (${reasons.join(', ')})`
}
