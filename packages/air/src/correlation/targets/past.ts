/**
 * Tracks that ended in the last minutes, for those who look back. Bounded in bytes. They are not in snapshots: a
 * tracker that is restored has none.
 */
import type { Track } from '../../track/track.ts'
import { bytesOfIdentifiers } from '../budget.ts'
import type { History } from './history.ts'
import type { Target } from './target.ts'

export interface PastTrack {
  track: Pick<Track, 'id' | 'type' | 'identifiers'>
  history: History
  endedAtMs: number
}

const keptMs = 10 * 60_000
/** Of all of them together: 100,000 points or so. */
const maxBytes = 6 * 1_024 * 1_024

/** A tentative track was possibly no target. */
export function keepPast(past: PastTrack[], { track, history }: Target, nowMs: number): void {
  if (track.state === 'tentative') return
  const { id, type, identifiers } = track
  past.push({ track: { id, ...(type !== undefined && { type }), identifiers }, history, endedAtMs: nowMs })
}

/** At each tick. */
export function forgetPast(past: PastTrack[], nowMs: number): void {
  let bytes = past.reduce((sum, one) => sum + bytesOf(one), 0)
  for (let oldest = past[0]; oldest; oldest = past[0]) {
    if (nowMs - oldest.endedAtMs < keptMs && bytes <= maxBytes) return
    bytes -= bytesOf(oldest)
    past.shift()
  }
}

/** In memory, about. */
function bytesOf({ track, history }: PastTrack): number {
  return bytesOfTrack + bytesOfIdentifiers(track.identifiers) + history.numbers.length * bytesOfNumber
}

const bytesOfTrack = 500
const bytesOfNumber = 8
