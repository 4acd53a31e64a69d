/**
 * What the spool has.
 * In: which entries came, went and were lost. Out: the counts. The newest entries are in memory, in a window; those
 * that are only in the files are counted together, so that the memory does not grow with them.
 */
import { createEntryWindow, type EntryWindow } from '../entry-window.ts'
import type { DropReasons, SpoolEntry } from '../spool.ts'
import type { Segment } from './segment.ts'

interface Totals {
  entries: number
  bytes: number
}

export interface Contents {
  /** The newest entries: those that are not written yet, and a part of those that are. */
  readonly window: EntryWindow
  entries(): number
  bytes(): number
  /** Number of entries that are only in the files. All of them are older than those of the window. */
  onlyInFiles(): number
  /** Entries that were dropped since the folder was created. */
  dropped(): number
  /** The same, since the last call of `report`, and why. */
  report(): { dropped: number; reasons: DropReasons }
  /** Damaged entries that were skipped. */
  damaged(): number
  /** The entries of a segment that are in memory, too. */
  inMemory(segment: Segment): SpoolEntry[]
  /** The entry is delivered. */
  take(sequence: number, bytes: number): void
  drop(sequence: number, bytes: number, reason: keyof DropReasons): void
  /** Entries that are only in the files are dropped. */
  dropFromFiles(lost: Totals, reason: keyof DropReasons): void
  /** Entries that were only in the files cannot be read. */
  damage(lost: Totals): void
  /** The entry leaves the window; `isInFile`: whether it can still be read. */
  leaveMemory(entry: SpoolEntry, isInFile: boolean): void
}

export interface ContentsAtStart extends Totals {
  nextSequence: number
  dropped: number
  damaged: number
}

export function createContents(start: ContentsAtStart): Contents {
  const window = createEntryWindow(start.nextSequence)
  const below: Totals = { entries: start.entries, bytes: start.bytes }
  let { dropped, damaged } = start
  let unreported = noReasons()

  return {
    window,
    entries: () => below.entries + window.entries(),
    bytes: () => below.bytes + window.bytes(),
    onlyInFiles: () => below.entries,
    dropped: () => dropped,
    report() {
      const reasons = unreported
      unreported = noReasons()
      return { dropped: reasons.full + reasons.tooOld + reasons.diskFailing, reasons }
    },
    damaged: () => damaged,
    inMemory({ firstSequence, endSequence, isGone }) {
      const found: SpoolEntry[] = []
      const end = Math.min(endSequence(), window.endSequence())
      for (let sequence = Math.max(firstSequence, window.firstSequence()); sequence < end; sequence += 1) {
        const entry = window.at(sequence)
        if (entry && !isGone(sequence)) found.push(entry)
      }
      return found
    },
    take,
    drop(sequence, bytes, reason) {
      take(sequence, bytes)
      countDropped(1, reason)
    },
    dropFromFiles(lost, reason) {
      leaveFiles(lost)
      countDropped(lost.entries, reason)
    },
    damage(lost) {
      leaveFiles(lost)
      damaged += lost.entries
    },
    leaveMemory({ sequence, bytes }, isInFile) {
      window.remove(sequence)
      if (isInFile) {
        below.entries += 1
        below.bytes += bytes
      } else damaged += 1
    },
  }

  function take(sequence: number, bytes: number): void {
    if (!window.remove(sequence)) leaveFiles({ entries: 1, bytes })
  }

  function leaveFiles({ entries, bytes }: Totals): void {
    below.entries -= entries
    below.bytes -= bytes
  }

  function countDropped(entries: number, reason: keyof DropReasons): void {
    dropped += entries
    unreported[reason] += entries
  }
}

function noReasons(): DropReasons {
  return { full: 0, tooOld: 0, diskFailing: 0 }
}
