/**
 * What the list of alerts shows as one entry, and which of those that ended it shows at first.
 * In: the alerts of the picture. Out: active ones, in groups: conflicts that share targets are one cluster; ended ones,
 * newest first.
 */
import type { AirAlert } from '@posrep/spec'

/** The first alert stands for the others. */
export type AlertGroup = [AirAlert, ...AirAlert[]]

/** Of the ended alerts; "Show all" shows the others. */
export const maxEndedShown = 5

export function groupActive(alerts: readonly AirAlert[]): AlertGroup[] {
  const groups: AlertGroup[] = []
  for (const alert of alerts) {
    if (alert.state !== 'active') continue
    const [first, ...others] = groups.filter((group) => group.some((one) => shareTargets(one, alert)))
    if (!first) {
      groups.push([alert])
      continue
    }
    first.push(alert, ...others.flat())
    for (const other of others) groups.splice(groups.indexOf(other), 1)
  }
  return groups
}

export function sortEnded<T extends { endedAt: string | null }>(alerts: readonly T[]): T[] {
  return alerts
    .filter(({ endedAt }) => endedAt !== null)
    .sort((a, b) => Date.parse(b.endedAt ?? '') - Date.parse(a.endedAt ?? ''))
}

function shareTargets({ conflict: a }: AirAlert, { conflict: b }: AirAlert): boolean {
  return (a?.tracks ?? []).some(({ trackId }) => b?.tracks.some((other) => other.trackId === trackId))
}

export function moreOf(group: AlertGroup): string {
  const count = group.length - 1
  return count === 1 ? '1 more conflict of the same targets' : `${count} more conflicts of the same targets`
}
