/** Halves the positions of each target: the newest is kept, the one before is not, and so on. */
import type { SpoolEntry } from '../spool.ts'

export function thinPerTarget(entries: readonly SpoolEntry[]): SpoolEntry[] {
  const keepNext = new Map<string, boolean>()
  const kept = entries.toReversed().filter(({ json }) => {
    const target = toTargetKey(json)
    const keep = keepNext.get(target) ?? true
    keepNext.set(target, !keep)
    return keep
  })
  return kept.reverse()
}

/** Positions without identification of their target count as one target. */
function toTargetKey(json: string): string {
  // report() has checked the position; its members may be missing.
  const { target } = JSON.parse(json) as { target?: { sourceId?: string; ids?: { id: string }[] } }
  return target?.sourceId ?? target?.ids?.[0]?.id ?? ''
}
