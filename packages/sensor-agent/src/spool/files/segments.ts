/**
 * The segments of a spool: the newest is written, the oldest is read and removed first.
 * In: entries in order. Out: the entries after a sequence. Makes room by dropping or thinning the oldest segments; how
 * many entries were dropped is written to the file before they are, so that the count survives a kill.
 */

import { sumOfBytes } from '../sizes.ts'
import type { DropReasons, SpoolEntry } from '../spool.ts'
import type { Contents } from './contents.ts'
import { createReader, leftOf } from './reader.ts'
import { recordOverheadBytes } from './record.ts'
import { createSegment, rewriteSegment, type Segment, type SegmentContext } from './segment.ts'
import { createSegmentSync } from './segment-sync.ts'
import { thinPerTarget } from './thin.ts'

export interface SegmentsOptions {
  folder: string
  /** Those that the start found. */
  segments: Segment[]
  context: SegmentContext
  /** Size at which a segment is ended, in bytes. */
  segmentBytes: number
  /** Limit of the files, in bytes. */
  maxBytes: number
  maxAgeMs: number
  thins: boolean
}

export interface Segments {
  diskBytes(): number
  /** The sequence after the last one that was written. */
  endSequence(): number
  /** Whether there is no such entry any more, or it cannot be read. */
  isGone(sequence: number): boolean
  /** For entries that were in memory, too. */
  markGone(entry: SpoolEntry): void
  /** Removes the entries of a range, which are only in the files. Resolves with their number. */
  remove(fromSequence: number, throughSequence: number): Promise<number>
  /** The entries from a sequence on that are in its segment or in the next one that has any; empty at the end. */
  readFrom(sequence: number): Promise<readonly SpoolEntry[]>
  hasEntries(): boolean
  /** Drops the entries that are too old. Files that cannot be deleted are tried again before the next write. */
  expire(): Promise<void>
  /** Makes room if it is needed, then writes the entries. */
  write(entries: readonly SpoolEntry[]): Promise<void>
  /** Deletes segments without entries and saves which entries are gone. */
  tidy(): Promise<void>
  /** Makes all that is written safe from a power cut. Runs beside the other calls, but `close`; one call at a time. */
  sync(): Promise<void>
  /** Ends the segment that is written. Its file is closed by the next `sync`. */
  rotate(): Promise<void>
  close(): Promise<void>
}

// A thinned track has one position of 64 left; then the segment is dropped.
const maxThinned = 6

export function createSegments(options: SegmentsOptions, contents: Contents): Segments {
  const { folder, context, segmentBytes, maxBytes, maxAgeMs, thins } = options
  let segments = options.segments
  let active: Segment | undefined
  const syncs = createSegmentSync(folder, (one) => one === active)
  /** What is to be done after the note about dropped entries was written, in order. */
  const afterNote: (() => Promise<void>)[] = []
  let droppedThrough = 0
  let notedDropped = 0
  let end = segments.at(-1)?.endSequence() ?? 0
  const reader = createReader({
    isWritten: (one) => one === active,
    isCurrent: (one) => segments.includes(one),
    contents,
  })

  return {
    diskBytes,
    endSequence: () => end,
    isGone: (sequence) => find(sequence)?.isGone(sequence) ?? true,
    markGone({ sequence, bytes }) {
      const segment = find(sequence)
      if (segment && !segment.isGone(sequence)) segment.markGone(sequence, sequence, 1, bytes)
    },
    remove,
    hasEntries: () => segments.some((one) => one.entries() > 0),
    async expire() {
      await dropTooOld()
      await deleteDropped().catch(() => undefined)
    },
    readFrom,
    write,
    tidy,
    rotate,
    sync: syncs.sync,
    async close() {
      await tidy()
      await rotate()
      await syncs.sync()
      for (const segment of segments.filter((one) => one.entries() === 0)) await segment.delete()
    },
  }

  function diskBytes(): number {
    return segments.reduce((sum, segment) => sum + segment.fileBytes(), 0)
  }

  function find(sequence: number): Segment | undefined {
    const segment = segments.findLast(({ firstSequence }) => firstSequence <= sequence)
    return segment && sequence < segment.endSequence() ? segment : undefined
  }

  /** The first one with entries that reaches the sequence. */
  function findFrom(sequence: number): Segment | undefined {
    return segments.find((one) => one.endSequence() > sequence && one.entries() > 0)
  }

  async function readFrom(sequence: number): Promise<readonly SpoolEntry[]> {
    let next = sequence
    for (let segment = findFrom(next); segment; segment = findFrom(next)) {
      const entries = leftOf(segment, await reader.read(segment), next)
      if (entries.length > 0) return entries
      if (segments.includes(segment)) next = segment.endSequence()
    }
    return []
  }

  async function remove(fromSequence: number, throughSequence: number): Promise<number> {
    let removed = 0
    let next = fromSequence
    for (let segment = findFrom(next); segment && next <= throughSequence; segment = findFrom(next)) {
      if (segment.firstSequence > throughSequence) break
      const through = Math.min(throughSequence, segment.endSequence() - 1)
      const all = await reader.read(segment)
      // It was dropped or thinned in the meantime.
      if (!segments.includes(segment)) continue
      const entries = leftOf(segment, all, next, through)
      segment.markGone(next, through, entries.length, sumOfBytes(entries))
      for (const { sequence, bytes } of entries) contents.take(sequence, bytes)
      removed += entries.length
      next = through + 1
    }
    return removed
  }

  async function write(entries: readonly SpoolEntry[]): Promise<void> {
    // What failed after the write before. If it fails again, nothing is written.
    await deleteDropped()
    const first = entries[0]?.sequence ?? end
    if (active && active.fileBytes() >= segmentBytes) await rotate()
    const bytes = entries.reduce((sum, entry) => sum + entry.bytes + recordOverheadBytes, 0)
    await makeRoom(bytes)
    const noted = contents.dropped()
    const note = { kind: 'dropped', first: droppedThrough, second: noted, text: '' } as const
    try {
      if (!active) {
        active = await createSegment(folder, first, context)
        segments.push(active)
        syncs.created()
        // Each segment has the count, because the one that had it before may be gone.
        notedDropped = 0
      }
      await active.write(entries, noted > notedDropped ? [note] : [])
      syncs.written(active)
      notedDropped = noted
      end = active.endSequence()
    } finally {
      // Also when the disk is full: this is what makes room. If it fails, what was written stays.
      await deleteDropped().catch(() => undefined)
    }
  }

  async function deleteDropped(): Promise<void> {
    for (; afterNote[0]; afterNote.shift()) await afterNote[0]()
  }

  /** Decides what is dropped. */
  async function makeRoom(bytes: number): Promise<void> {
    await dropTooOld()
    // One segment stays free for what is written before the dropped files are deleted.
    for (let size = diskBytes(); segments[0] && size + bytes > maxBytes - segmentBytes; size = diskBytes()) {
      const old = findLeastThinned()
      const thin = old && (await thinSegment(old))
      afterNote.push(thin ?? (await drop(segments[0], 'full')))
    }
  }

  async function dropTooOld(): Promise<void> {
    // What was appended before positions that are too old is older still, whatever its clock said.
    const oldestKeptMs = context.ages.elapsedMs() - maxAgeMs
    const last = segments.findLastIndex((segment) => segment.newestSinceMs() < oldestKeptMs)
    for (const old of segments.slice(0, last + 1)) afterNote.push(await drop(old, 'tooOld'))
  }

  async function drop(segment: Segment, reason: keyof DropReasons): Promise<() => Promise<void>> {
    if (segment === active) await rotate()
    segments = segments.filter((one) => one !== segment)
    const inMemory = contents.inMemory(segment)
    const entries = segment.entries() - inMemory.length
    const bytes = segment.bytes() - sumOfBytes(inMemory)
    segment.markGone(segment.firstSequence, segment.endSequence() - 1, segment.entries(), segment.bytes())
    contents.dropFromFiles({ entries, bytes }, reason)
    for (const entry of inMemory) contents.drop(entry.sequence, entry.bytes, reason)
    droppedThrough = Math.max(droppedThrough, segment.endSequence() - 1)
    return segment.delete
  }

  /** The oldest of them. The segment that is written cannot be thinned. */
  function findLeastThinned(): Segment | undefined {
    if (!thins) return undefined
    const candidates = segments.filter((segment) => segment !== active && segment.thinned < maxThinned)
    const least = Math.min(...candidates.map(({ thinned }) => thinned))
    return candidates.find(({ thinned }) => thinned === least)
  }

  /** Undefined if thinning would not make it smaller. */
  async function thinSegment(old: Segment): Promise<(() => Promise<void>) | undefined> {
    const all = leftOf(old, await reader.read(old))
    const kept = thinPerTarget(all)
    if (kept.length === all.length) return undefined
    const { segment, replace } = await rewriteSegment(folder, old, kept, context)
    const isKept = new Set(kept)
    for (const entry of all) {
      const { sequence, bytes } = entry
      // It may have been delivered in the meantime.
      if (!old.isGone(sequence)) {
        if (!isKept.has(entry)) contents.drop(sequence, bytes, 'full')
      } else if (isKept.has(entry)) segment.markGone(sequence, sequence, 1, bytes)
    }
    segments = segments.map((one) => (one === old ? segment : one))
    reader.keep(segment, kept)
    return replace
  }

  async function tidy(): Promise<void> {
    for (const segment of segments.filter((one) => one.entries() === 0 && one !== active)) {
      segments = segments.filter((one) => one !== segment)
      await segment.delete()
    }
    for (const segment of segments) await segment.saveGone()
  }

  async function rotate(): Promise<void> {
    const old = active
    active = undefined
    if (!old) return
    if (old.endSequence() > old.firstSequence) {
      syncs.written(old)
      return
    }
    // Its first write failed; the next segment begins with the same sequence and has the same name.
    segments = segments.filter((one) => one !== old)
    await old.delete()
  }
}
