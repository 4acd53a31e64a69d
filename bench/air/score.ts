/**
 * Pairwise precision and recall of an association.
 * In: receptions with their recorded identity and the track that they were given. Out: of the pairs of receptions by different
 * receivers within ten seconds, the share of those in one track that are of one target (precision), and the share of those of one
 * target that are in one track (recall). Pairs of two receptions with identifiers are left out, because they decide themselves.
 */
import type { Heard } from './receivers.ts'

export interface Score {
  precision: number
  recall: number
  /** Pairs of one target. */
  pairs: number
}

const windowMs = 10_000

/** `tracks`: for each reception, the track; undefined if no track took it. */
export function score(heard: readonly Heard[], tracks: readonly (string | undefined)[]): Score {
  const byTrack = new Map<string, Group>()
  const byTarget = new Map<string, Group>()
  const byBoth = new Map<string, Group>()
  heard.forEach((one, index) => {
    const window = Math.floor(one.trueMs / windowMs)
    const track = tracks[index]
    add(byTarget, `${window} ${one.identity}`, one)
    if (track === undefined) return
    add(byTrack, `${window} ${track}`, one)
    add(byBoth, `${window} ${track} ${one.identity}`, one)
  })
  const together = countPairs(byBoth)
  return {
    precision: together / countPairs(byTrack),
    recall: together / countPairs(byTarget),
    pairs: countPairs(byTarget),
  }
}

/** Receptions per receiver, all and those with identifiers. */
interface Group {
  all: Map<string, number>
  identified: Map<string, number>
}

function add(groups: Map<string, Group>, key: string, { receiver, isHidden }: Heard): void {
  const group = groups.get(key) ?? { all: new Map(), identified: new Map() }
  groups.set(key, group)
  group.all.set(receiver, (group.all.get(receiver) ?? 0) + 1)
  if (!isHidden) group.identified.set(receiver, (group.identified.get(receiver) ?? 0) + 1)
}

function countPairs(groups: Map<string, Group>): number {
  let pairs = 0
  for (const { all, identified } of groups.values()) pairs += pairsBetween(all) - pairsBetween(identified)
  return pairs
}

function pairsBetween(counts: Map<string, number>): number {
  let sum = 0
  let squares = 0
  for (const count of counts.values()) {
    sum += count
    squares += count * count
  }
  return (sum * sum - squares) / 2
}
