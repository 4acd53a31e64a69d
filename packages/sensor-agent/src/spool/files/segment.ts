/**
 * One file of the spool. In memory are its totals and which ranges are gone, nothing for each position.
 * In: entries. Out: the same entries, read back. A second file beside it, `….gone`, lists the sequences that were
 * removed; a lost note means that positions are sent again, never that one is lost.
 */
import { appendFile, type FileHandle, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '@posrep/kernel/sync-folder'
import { createRanges, type Ranges } from '../ranges.ts'
import { sumOfBytes } from '../sizes.ts'
import type { SpoolEntry } from '../spool.ts'
import { type Ages, type ClockNote, withClockNotes } from './ages.ts'
import { encodeRecords, type FoundRecord, header, type SpoolRecord, scanRecords } from './record.ts'

/** Counts what is written, for the metrics. */
export interface DiskCounters {
  bytesWritten: number
  syncs: number
}

/** What all segments of a folder share. */
export interface SegmentContext {
  counters: DiskCounters
  ages: Ages
}

export interface Segment {
  readonly path: string
  readonly firstSequence: number
  /** How often it was thinned. */
  readonly thinned: number
  /** The sequence after its last one. */
  endSequence(): number
  /** Since when its newest position has waited, by `Clock.elapsed()`. */
  newestSinceMs(): number
  /** Entries that are not gone. */
  entries(): number
  /** Sum of their texts. */
  bytes(): number
  /** Size of both files. */
  fileBytes(): number
  isGone(sequence: number): boolean
  /** `entries`, `bytes`: what of the range was not gone before. */
  markGone(fromSequence: number, throughSequence: number, entries: number, bytes: number): void
  /** The others are gone. */
  keepOnly(entries: readonly SpoolEntry[]): void
  /** Reads the entries that are not gone. */
  read(): Promise<SpoolEntry[]>
  /** Appends notes, then the entries. If it rejects, nothing of it is in the file. */
  write(entries: readonly SpoolEntry[], notes?: readonly SpoolRecord[]): Promise<void>
  /** Appends the sequences that are gone since the last call to the second file. */
  saveGone(): Promise<void>
  /** Can run beside `write`. Does nothing after the end of writing. */
  sync(): Promise<void>
  /** Ends writing; reading goes on. */
  seal(): Promise<void>
  delete(): Promise<void>
}

/** What a file contains that was read at the start. */
export interface SegmentContent {
  endSequence: number
  newestSinceMs: number
  fileBytes: number
  /** Entries that are not gone, and the sum of their texts. */
  entries: number
  bytes: number
  gone: Ranges
}

export interface SegmentName {
  firstSequence: number
  thinned: number
}

function segmentPath(folder: string, { firstSequence, thinned }: SegmentName): string {
  return join(folder, `${String(firstSequence).padStart(16, '0')}-${thinned}.spool`)
}

export function gonePath(path: string): string {
  return path.replace(/\.spool$/, '.gone')
}

/**
 * Creates the file. After a power cut it is there only if the folder was synced, too.
 * One with this name is left from a first write that failed: nobody was told that it has entries.
 */
export async function createSegment(folder: string, firstSequence: number, context: SegmentContext): Promise<Segment> {
  const name = { firstSequence, thinned: 0 }
  const path = segmentPath(folder, name)
  await rm(path, { force: true })
  const handle = await open(path, 'ax', 0o600)
  const segment = toSegment(path, name, noContent(name), context, handle)
  try {
    await segment.write([])
  } catch (error) {
    await segment.delete().catch(() => undefined)
    throw error
  }
  return segment
}

function noContent({ firstSequence }: SegmentName): SegmentContent {
  const newestSinceMs = Number.NEGATIVE_INFINITY
  return { endSequence: firstSequence, newestSinceMs, fileBytes: 0, entries: 0, bytes: 0, gone: createRanges() }
}

/** `earlierPath`: where the file is before it gets its name. */
export function toSegment(
  path: string,
  { firstSequence, thinned }: SegmentName,
  content: SegmentContent,
  { counters, ages }: SegmentContext,
  handle?: FileHandle,
  earlierPath = path,
): Segment {
  let writing = handle
  let { endSequence: end, newestSinceMs: newest, fileBytes, entries, bytes } = content
  let clockNote: ClockNote | undefined
  const { gone } = content
  let goneBytes = 0
  let unsaved: [from: number, through: number][] = []

  return {
    path,
    firstSequence,
    thinned,
    endSequence: () => end,
    newestSinceMs: () => newest,
    entries: () => entries,
    bytes: () => bytes,
    fileBytes: () => fileBytes + goneBytes,
    isGone: gone.has,

    markGone(from, through, goneEntries, goneTexts) {
      gone.add(from, through)
      entries -= goneEntries
      bytes -= goneTexts
      const last = unsaved.at(-1)
      if (last && last[1] === from - 1) last[1] = through
      else unsaved.push([from, through])
    },

    keepOnly(kept) {
      const edges = [firstSequence - 1, ...kept.map(({ sequence }) => sequence), end]
      for (const [index, edge] of edges.entries()) {
        const from = (edges[index - 1] ?? edge) + 1
        if (from < edge) gone.add(from, edge - 1)
      }
      entries = kept.length
      bytes = sumOfBytes(kept)
    },

    async read() {
      const found: SpoolEntry[] = []
      // In this order the file is found, too, if it gets its name meanwhile.
      const file = await readFile(earlierPath).catch(() => readFile(path))
      const waitingSince = createWaitingSince(ages)
      scanRecords(file, (record) => {
        const { kind, first: sequence, second: spooledAtMs, textBytes, text } = record
        const waitingSinceMs = waitingSince(record)
        const isThere = kind === 'position' && sequence < end && !gone.has(sequence)
        if (isThere) found.push({ sequence, json: text(), bytes: textBytes, spooledAtMs, waitingSinceMs })
      })
      return found
    },

    async write(added, notes = []) {
      if (!writing) throw new Error(`"${path}" is closed`)
      const { records, note } = withClockNotes(added, clockNote, ages.boot)
      const isFirst = fileBytes === 0
      const encoded = encodeRecords([...notes, ...records])
      const buffer = isFirst ? Buffer.concat([header, encoded]) : encoded
      try {
        await writeFully(writing, buffer)
      } catch (error) {
        // If this fails, too, the next start cuts the torn end off; this file gets no further records.
        await writing.truncate(fileBytes).catch(() => undefined)
        throw error
      }
      counters.bytesWritten += buffer.length
      fileBytes += buffer.length
      clockNote = note
      for (const entry of added) {
        end = entry.sequence + 1
        bytes += entry.bytes
        entries += 1
        newest = Math.max(newest, ages.sinceMs(entry))
      }
    },

    async saveGone() {
      if (unsaved.length === 0 || entries === 0) return
      const ranges = unsaved
      unsaved = []
      const records = encodeRecords(ranges.map(([first, second]) => ({ kind: 'gone', first, second, text: '' })))
      await appendFile(gonePath(path), records, { mode: 0o600 })
      counters.bytesWritten += records.length
      goneBytes += records.length
    },

    async sync() {
      if (!writing) return
      await writing.datasync()
      counters.syncs += 1
    },

    async seal() {
      const handle = writing
      writing = undefined
      await handle?.close()
    },

    async delete() {
      // It waits for an fsync in progress, and whether that succeeds does not matter any more.
      void writing?.close().catch(() => undefined)
      writing = undefined
      await rm(path, { force: true })
      await rm(gonePath(path), { force: true })
    },
  }
}

/**
 * When the position of each record was appended, by `Clock.elapsed()`; undefined where the notes before it do not say.
 */
export function createWaitingSince(ages: Ages): (record: FoundRecord) => number | undefined {
  let note: ClockNote | undefined
  return ({ kind, first, second, text }) => {
    if (kind === 'clock') note = { elapsedMs: first, nowMs: second, boot: text() }
    return kind === 'position' ? ages.toWaitingSinceMs(second, note) : undefined
  }
}

/**
 * Writes the entries to the file that takes the place of the segment's. `replace` puts it there, and can be repeated
 * after a failure; until then the segment is unchanged.
 */
export async function rewriteSegment(
  folder: string,
  old: Segment,
  kept: readonly SpoolEntry[],
  context: SegmentContext,
): Promise<{ segment: Segment; replace(): Promise<void> }> {
  const name = { firstSequence: old.firstSequence, thinned: old.thinned + 1 }
  const path = segmentPath(folder, name)
  const fresh = `${path}.new`
  await rm(fresh, { force: true })
  const handle = await open(fresh, 'ax', 0o600)
  const segment = toSegment(path, name, noContent(name), context, handle, fresh)
  try {
    await segment.write(kept)
    await segment.sync()
  } finally {
    await segment.seal()
  }
  let isThere = false
  return {
    segment,
    async replace() {
      if (!isThere) await rename(fresh, path)
      isThere = true
      await syncFolder(folder)
      await old.delete()
    },
  }
}

async function writeFully(handle: FileHandle, buffer: Buffer): Promise<void> {
  for (let offset = 0; offset < buffer.length; ) {
    // A full disk may take a part of it.
    const { bytesWritten } = await handle.write(buffer, offset)
    offset += bytesWritten
  }
}
