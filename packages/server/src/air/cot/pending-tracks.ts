/**
 * The tracks that a connection has still to send, each once: a newer state of a track replaces the one that waits. So at most as many
 * wait as the picture has tracks, and of a slow connection the old states are dropped.
 */
import type { AirTrack } from '@posrep/spec'

export interface PendingTracks {
  add(tracks: Iterable<AirTrack>): void
  /** Ended tracks are not sent any more. */
  remove(trackIds: readonly string[]): void
  /** Takes the track that waits for longest. */
  take(): AirTrack | undefined
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
    take() {
      const [first] = pending
      if (!first) return undefined
      pending.delete(first[0])
      return first[1]
    },
    size: () => pending.size,
  }
}
