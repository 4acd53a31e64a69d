/**
 * The segments of a spool: the newest is written, the oldest is read and removed first.
 * In: entries in order. Out: the entries after a sequence. Makes room by dropping or thinning the oldest segments; how many entries
 * were dropped is written to the file before they are, so that the count survives a kill.
 */
import type { SpoolEntry } from '../spool.ts'
import { recordOverheadBytes } from './record.ts'
import { createSegment, type DiskCounters, rewriteSegment, type Segment } from './segment.ts'
import { thinPerTarget } from './thin.ts'

export interface SegmentsOptions {
  folder: string
  /** Those that the start found. */
  segments: Segment[]
  counters: DiskCounters
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
  /** Size of the entry; 0 if it is gone. */
  markGone(sequence: number): number
  /** The same, without a change. */
  sizeOf(sequence: number): number
  /** The entries from a sequence on that are in its segment or in the next one that has any; empty at the end. */
  readFrom(sequence: number): Promise<readonly SpoolEntry[]>
  /** The sequence of the oldest entry. */
  oldest(): number | undefined
  /** Drops the entries that are too old. */
  expire(nowMs: number): Promise<void>
  /** Makes room if it is needed, then writes the entries. */
  write(entries: readonly SpoolEntry[], nowMs: number): Promise<void>
  /** Deletes segments without entries and saves which entries are gone. */
  tidy(): Promise<void>
  sync(): Promise<void>
  /** Ends the segment that is written. */
  rotate(): Promise<void>
  close(): Promise<void>
}

// A thinned track has one position of 64 left; then the segment is dropped.
const maxThinned = 6
// Larger gaps begin a new segment, because a segment has a number in memory for each sequence.
const maxGap = 4_096
// Times before this come from a clock that was not set, and say nothing about the age.
const plausibleMs = Date.UTC(2024, 0, 1)
// After so many failed reads the segment's entries are given up.
const maxReadFailures = 3

/** Counts the entries that the segments lose. */
export interface Losses {
  /** Entries that were dropped in all, also by earlier processes. */
  dropped(): number
  drop(sequence: number, bytes: number): void
  damage(sequence: number, bytes: number): void
}

export function createSegments(options: SegmentsOptions, losses: Losses): Segments {
  const { folder, counters, segmentBytes, maxBytes, maxAgeMs, thins } = options
  let segments = options.segments
  let active: Segment | undefined
  let droppedThrough = 0
  let notedDropped = 0
  let decoded: { segment: Segment; entries: readonly SpoolEntry[] } | undefined
  const readFailures = new Map<Segment, number>()
  let end = segments.at(-1)?.endSequence() ?? 0

  return {
    diskBytes,
    endSequence: () => end,
    markGone: (sequence) => find(sequence)?.markGone(sequence) ?? 0,
    sizeOf: (sequence) => find(sequence)?.sizeOf(sequence) ?? 0,
    oldest,
    async expire(nowMs) {
      for (const act of await dropTooOld(nowMs)) await act()
    },
    readFrom,
    write,
    tidy,
    rotate,
    async sync() {
      await active?.sync()
    },
    async close() {
      await tidy()
      if (active && active.entries() > 0) await active.sync()
      await active?.seal()
      for (const segment of segments.filter((one) => one.entries() === 0)) await segment.delete()
    },
  }

  function diskBytes(): number {
    return segments.reduce((sum, segment) => sum + segment.fileBytes(), 0)
  }

  function oldest(): number | undefined {
    const segment = segments.find((one) => one.entries() > 0)
    if (!segment) return undefined
    let sequence = segment.firstSequence
    while (segment.sizeOf(sequence) === 0) sequence += 1
    return sequence
  }

  function find(sequence: number): Segment | undefined {
    const segment = segments.findLast(({ firstSequence }) => firstSequence <= sequence)
    return segment && sequence < segment.endSequence() ? segment : undefined
  }

  async function readFrom(sequence: number): Promise<readonly SpoolEntry[]> {
    for (const segment of segments) {
      if (segment.endSequence() <= sequence || segment.entries() === 0) continue
      const entries = (await decode(segment)).filter(
        (entry) => entry.sequence >= sequence && segment.sizeOf(entry.sequence) > 0,
      )
      if (entries.length > 0) return entries
    }
    return []
  }

  async function decode(segment: Segment): Promise<readonly SpoolEntry[]> {
    // The segment that is written grows, so it is read again.
    if (decoded?.segment === segment && segment !== active) return decoded.entries
    const through = segment.endSequence() - 1
    try {
      const entries = await segment.read()
      giveUpAllBut(new Set(entries.map(({ sequence }) => sequence)), segment, through)
      decoded = { segment, entries }
      readFailures.delete(segment)
      return entries
    } catch (error) {
      const failures = (readFailures.get(segment) ?? 0) + 1
      readFailures.set(segment, failures)
      if (failures < maxReadFailures) throw error
      giveUpAllBut(new Set(), segment, through)
      return []
    }
  }

  /** Entries that were good at the start and cannot be read now are damaged. */
  function giveUpAllBut(good: ReadonlySet<number>, segment: Segment, through: number): void {
    for (let sequence = segment.firstSequence; sequence <= through; sequence += 1) {
      const bytes = good.has(sequence) ? 0 : segment.markGone(sequence)
      if (bytes > 0) losses.damage(sequence, bytes)
    }
  }

  async function write(entries: readonly SpoolEntry[], nowMs: number): Promise<void> {
    const first = entries[0]?.sequence ?? end
    if (active && (active.fileBytes() >= segmentBytes || first - active.endSequence() > maxGap)) await rotate()
    const bytes = entries.reduce((sum, entry) => sum + entry.bytes + recordOverheadBytes, 0)
    const afterNote = await makeRoom(bytes, nowMs)
    const noted = losses.dropped()
    const note = { kind: 'dropped', first: droppedThrough, second: noted, text: '' } as const
    try {
      if (!active) {
        active = await createSegment(folder, first, counters)
        segments.push(active)
        // Each segment has the count, because the one that had it before may be gone.
        notedDropped = 0
      }
      await active.write(entries, noted > notedDropped ? [note] : [])
      notedDropped = noted
    } finally {
      // Also when the disk is full: this is what makes room.
      for (const act of afterNote) await act()
    }
    end = active.endSequence()
  }

  /** Decides what is dropped, and returns what is to be done after the note about it was written. */
  async function makeRoom(bytes: number, nowMs: number): Promise<(() => Promise<void>)[]> {
    const acts = await dropTooOld(nowMs)
    // One segment stays free for what is written before the dropped files are deleted.
    for (let size = diskBytes(); segments[0] && size + bytes > maxBytes - segmentBytes; size = diskBytes()) {
      const old = findLeastThinned()
      const thin = old && (await thinSegment(old))
      acts.push(thin ?? (await drop(segments[0])))
    }
    return acts
  }

  async function dropTooOld(nowMs: number): Promise<(() => Promise<void>)[]> {
    const acts: (() => Promise<void>)[] = []
    // What was appended before positions that are too old is older still, whatever its clock said.
    const last = segments.findLastIndex((segment) => isTooOld(segment, nowMs))
    for (const old of segments.slice(0, last + 1)) acts.push(await drop(old))
    return acts
  }

  function isTooOld(segment: Segment, nowMs: number): boolean {
    return segment.newestAtMs() > plausibleMs && segment.newestAtMs() < nowMs - maxAgeMs
  }

  async function drop(segment: Segment): Promise<() => Promise<void>> {
    if (segment === active) await rotate()
    segments = segments.filter((one) => one !== segment)
    for (let sequence = segment.firstSequence; sequence < segment.endSequence(); sequence += 1) {
      const bytes = segment.markGone(sequence)
      if (bytes > 0) losses.drop(sequence, bytes)
    }
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
    const all = await old.read()
    const kept = thinPerTarget(all)
    if (kept.length === all.length) return undefined
    const { segment, replace } = await rewriteSegment(folder, old, kept, counters)
    for (const { sequence, bytes } of all) {
      // It may have been delivered in the meantime.
      if (old.sizeOf(sequence) === 0) segment.markGone(sequence)
      else if (segment.sizeOf(sequence) === 0) losses.drop(sequence, bytes)
    }
    segments = segments.map((one) => (one === old ? segment : one))
    // The file gets its name after the note was written.
    decoded = { segment, entries: kept }
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
      // Also on a failing disk the file is closed.
      return old.sync().finally(old.seal)
    }
    // Its first write failed; the next segment begins with the same sequence and has the same name.
    segments = segments.filter((one) => one !== old)
    await old.delete()
  }
}
