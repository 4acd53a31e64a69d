/**
 * The tracks that a connection has still to send, each once: a newer state of a track replaces the one that waits. So
 * at most as many wait as the picture has tracks, and of a slow connection the old states are dropped.
 */
import type { AirTrack } from '@posrep/spec'

export interface PendingTracks {
  add(tracks: Iterable<AirTrack>): void
  /** Ended tracks are not sent any more. */
  remove(trackIds: readonly string[]): void
  /** Takes the tracks that wait for longest, at most this number. */
  take(count: number): AirTrack[]
  size(): number
}

export function createPendingTracks(): PendingTracks {
  const pending = new Map<string, AirTrack>()
  return {
    add(tracks) {
      // A tentative track may be no target at all.
      for (const track of tracks) if (track.state !== 'tentative') pending.set(track.id, track)
    },
    remove(trackIds) {
      for (const id of trackIds) pending.delete(id)
    },
    take(count) {
      const tracks: AirTrack[] = []
      for (const track of pending.values()) {
        if (tracks.length === count) break
        pending.delete(track.id)
        tracks.push(track)
      }
      return tracks
    },
    size: () => pending.size,
  }
}
