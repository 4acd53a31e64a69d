/**
 * Makes segments safe from a power cut.
 * In: which files were created and written. Out: `fsync` of each of them, after which those that are ended are closed.
 */
import { syncFolder } from '@posrep/kernel/sync-folder'
import type { Segment } from './segment.ts'

export interface SegmentSync {
  /** A file was created: the folder has its name only after an `fsync`. */
  created(): void
  /** The segment was written, or has ended and is to be closed. */
  written(segment: Segment): void
  /** Runs beside writes; one call at a time. */
  sync(): Promise<void>
}

/** `isActive`: whether more will be written to the segment. */
export function createSegmentSync(folder: string, isActive: (segment: Segment) => boolean): SegmentSync {
  const unsynced = new Set<Segment>()
  let hasNewFile = false

  return {
    created() {
      hasNewFile = true
    },
    written: (segment) => void unsynced.add(segment),
    async sync() {
      await syncNewFiles()
      // One after the other: several at once would take all threads that Node has for files.
      for (const segment of [...unsynced]) {
        // What is written from now on needs another fsync.
        unsynced.delete(segment)
        try {
          if (segment.entries() > 0) await segment.sync()
        } finally {
          // Also on a failing disk the file is closed.
          if (!isActive(segment) && !unsynced.has(segment)) await segment.seal()
        }
      }
    },
  }

  async function syncNewFiles(): Promise<void> {
    if (!hasNewFile) return
    hasNewFile = false
    try {
      await syncFolder(folder)
    } catch (error) {
      hasNewFile = true
      throw error
    }
  }
}
