/**
 * Pairwise precision and recall of an association.
 * In: receptions with their recorded identity and the track that they were given. Out: of the pairs of receptions by
 * different receivers within ten seconds, the share of those in one track that are of one target (precision), and the
 * share of those of one target that are in one track (recall). Pairs of two receptions with identifiers are left out,
 * because they decide themselves.
 */

/** Of a reception or a sighting. */
export interface Scored {
  receiver: string
  identity: string | undefined
  isHidden: boolean
  trueMs: number
}

export interface Score {
  precision: number
  recall: number
  /** Pairs of one target. */
  pairs: number
}

const windowMs = 10_000

/** `tracks`: for each reception, the track; undefined if no track took it. */
export function score(heard: readonly Scored[], tracks: readonly (string | undefined)[]): Score {
  const byTrack = new Map<string, Window>()
  const byTarget = new Map<string, Window>()
  const byBoth = new Map<string, Window>()
  const inOrder = heard.map((one, index) => ({ one, track: tracks[index] })).sort((a, b) => a.one.trueMs - b.one.trueMs)
  let [oneTrack, oneTarget, both] = [0, 0, 0]
  for (const { one, track } of inOrder) {
    oneTarget += add(byTarget, String(one.identity), one)
    if (track === undefined) continue
    oneTrack += add(byTrack, track, one)
    both += add(byBoth, `${track} ${one.identity}`, one)
  }
  return { precision: both / oneTrack, recall: both / oneTarget, pairs: oneTarget }
}

/** The receptions of the last ten seconds, oldest first, and how many of them each receiver has. */
interface Window {
  latest: Scored[]
  all: Counts
  identified: Counts
}

/** The pairs that the reception makes with those of the last ten seconds. */
function add(windows: Map<string, Window>, key: string, one: Scored): number {
  const window = windows.get(key) ?? { latest: [], all: createCounts(), identified: createCounts() }
  windows.set(key, window)
  for (let oldest = window.latest[0]; oldest && one.trueMs - oldest.trueMs > windowMs; oldest = window.latest[0]) {
    window.latest.shift()
    count(window, oldest, -1)
  }
  const pairs = window.all.besides(one.receiver)
  const left = one.isHidden ? 0 : window.identified.besides(one.receiver)
  window.latest.push(one)
  count(window, one, 1)
  return pairs - left
}

function count({ all, identified }: Window, { receiver, isHidden }: Scored, by: 1 | -1): void {
  all.add(receiver, by)
  if (!isHidden) identified.add(receiver, by)
}

interface Counts {
  add(receiver: string, by: number): void
  /** The receptions by other receivers. */
  besides(receiver: string): number
}

function createCounts(): Counts {
  const counts = new Map<string, number>()
  let total = 0
  return {
    add(receiver, by) {
      counts.set(receiver, (counts.get(receiver) ?? 0) + by)
      total += by
    },
    besides: (receiver) => total - (counts.get(receiver) ?? 0),
  }
}
