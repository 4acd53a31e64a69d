/**
 * Reads pictures that no process holds, because nothing happens in them.
 * In: an account. Out: the picture of its last snapshot; undefined if there is none.
 */

import { createTracker, type TrackerSnapshot } from '@posrep/air'
import type { AirThreadOptions } from '../thread/messages.ts'
import { toHistoryTexts } from '../thread/picture-figures.ts'
import { fromParts } from '../thread/snapshot-parts.ts'
import type { AirSnapshots } from '../worker/snapshots.ts'
import type { StoredPicture } from './air-pictures.ts'

export interface StoredPicturesOptions extends AirThreadOptions {
  snapshots: Pick<AirSnapshots, 'find' | 'read'>
}

/** A larger one has tracks, so a process holds it or will do so soon. Reading it would delay requests. */
const maxParts = 4

export function createFindStored({ snapshots, maxTargets, separation }: StoredPicturesOptions) {
  return async (accountId: string): Promise<StoredPicture | undefined> => {
    const head = await snapshots.find(accountId)
    if (!head || head.parts > maxParts) return undefined
    const snapshot = tryRead(await snapshots.read(accountId, head))
    if (!snapshot) return undefined
    const picture = createTracker({ maxTracks: maxTargets, separation, snapshot })
    // A holder counts from the seconds of its time, which is later.
    const sequence = Math.floor(snapshot.timeMs / 1_000)
    return {
      message: { holder: head.version, sequence, frame: JSON.stringify(picture.whole()) },
      detail: async (trackId) => picture.find(trackId),
      history: async (query) => toHistoryTexts(picture, query),
    }
  }
}

function tryRead(parts: readonly string[]): TrackerSnapshot | undefined {
  try {
    return fromParts(parts)
  } catch {
    // The process that holds the picture next begins an empty one, and writes the reason to its log.
    return undefined
  }
}
