/**
 * Tracks that ended in the last minutes, for those who look back. Bounded in points. They are not in snapshots: a tracker that is
 * restored has none.
 */
import type { Track } from '../../track.ts'
import type { History } from './history.ts'
import type { Target } from './target.ts'

export interface PastTrack {
  track: Pick<Track, 'id' | 'type' | 'identifiers'>
  history: History
  endedAtMs: number
}

const keptMs = 10 * 60_000
/** Of all of them together. */
const maxPoints = 100_000

/** A tentative track was possibly no target. */
export function keepPast(past: PastTrack[], { track, history }: Target, nowMs: number): void {
  if (track.state === 'tentative') return
  const { id, type, identifiers } = track
  past.push({ track: { id, ...(type !== undefined && { type }), identifiers }, history, endedAtMs: nowMs })
}

/** At each tick. */
export function forgetPast(past: PastTrack[], nowMs: number): void {
  let points = past.reduce((sum, { history }) => sum + history.deviceUrns.length, 0)
  for (let oldest = past[0]; oldest; oldest = past[0]) {
    if (nowMs - oldest.endedAtMs < keptMs && points <= maxPoints) return
    points -= oldest.history.deviceUrns.length
    past.shift()
  }
}
