/**
 * One file of the spool, with the sequences and sizes of its positions in memory.
 * In: entries. Out: the same entries, read back. A second file beside it, `….gone`, lists the sequences that were removed; a lost
 * note means that positions are sent again, never that one is lost.
 */
import { appendFile, type FileHandle, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../../sync-folder.ts'
import type { SpoolEntry } from '../spool.ts'
import { encodeRecords, header, type SpoolRecord, scanRecords } from './record.ts'

/** Counts what is written, for the metrics. */
export interface DiskCounters {
  bytesWritten: number
  syncs: number
}

export interface Segment {
  readonly path: string
  readonly firstSequence: number
  /** How often it was thinned. */
  readonly thinned: number
  /** The sequence after its last one. */
  endSequence(): number
  newestAtMs(): number
  /** Entries that are not gone. */
  entries(): number
  /** Sum of their texts. */
  bytes(): number
  /** Size of both files. */
  fileBytes(): number
  /** Size of the entry's text; 0 if it is gone. */
  sizeOf(sequence: number): number
  /** Returns the size of the entry; 0 if it was gone before. */
  markGone(sequence: number): number
  /** Reads the entries that are not gone. */
  read(): Promise<SpoolEntry[]>
  /** Appends notes, then the entries. If it rejects, nothing of it is in the file. */
  write(entries: readonly SpoolEntry[], notes?: readonly SpoolRecord[]): Promise<void>
  /** Appends the sequences that are gone since the last call to the second file. */
  saveGone(): Promise<void>
  sync(): Promise<void>
  /** Ends writing; reading goes on. */
  seal(): Promise<void>
  delete(): Promise<void>
}

/** What the constructor of a segment gets: an empty list for a new file. */
export interface SegmentContent {
  firstSequence: number
  thinned: number
  newestAtMs: number
  fileBytes: number
  /** By sequence, from `firstSequence` on. */
  sizes: number[]
}

function segmentPath(folder: string, firstSequence: number, thinned: number): string {
  return join(folder, `${String(firstSequence).padStart(16, '0')}-${thinned}.spool`)
}

export function gonePath(path: string): string {
  return path.replace(/\.spool$/, '.gone')
}

/** Creates the file. It must not exist. */
export async function createSegment(folder: string, firstSequence: number, counters: DiskCounters): Promise<Segment> {
  const path = segmentPath(folder, firstSequence, 0)
  const handle = await open(path, 'ax', 0o600)
  const content = { firstSequence, thinned: 0, newestAtMs: 0, fileBytes: 0, sizes: [] }
  const segment = toSegment(path, content, counters, handle)
  try {
    await segment.write([])
    await syncFolder(folder)
  } catch (error) {
    await segment.delete().catch(() => undefined)
    throw error
  }
  return segment
}

export function toSegment(
  path: string,
  { firstSequence, thinned, newestAtMs, fileBytes, sizes }: SegmentContent,
  counters: DiskCounters,
  handle?: FileHandle,
): Segment {
  let writing = handle
  let newest = newestAtMs
  let bytes = fileBytes
  let goneBytes = 0
  let entries = sizes.filter((size) => size > 0).length
  let unsaved: [from: number, through: number][] = []

  return {
    path,
    firstSequence,
    thinned,
    endSequence: () => firstSequence + sizes.length,
    newestAtMs: () => newest,
    entries: () => entries,
    bytes: () => sizes.reduce((sum, size) => sum + size, 0),
    fileBytes: () => bytes + goneBytes,
    sizeOf: (sequence) => sizes[sequence - firstSequence] ?? 0,

    markGone(sequence) {
      const size = sizes[sequence - firstSequence] ?? 0
      if (size === 0) return 0
      sizes[sequence - firstSequence] = 0
      entries -= 1
      const last = unsaved.at(-1)
      if (last && last[1] === sequence - 1) last[1] = sequence
      else unsaved.push([sequence, sequence])
      return size
    },

    async read() {
      const found: SpoolEntry[] = []
      scanRecords(await readFile(path), ({ kind, first: sequence, second: spooledAtMs, textBytes, text }) => {
        const isThere = kind === 'position' && (sizes[sequence - firstSequence] ?? 0) > 0
        if (isThere) found.push({ sequence, json: text(), bytes: textBytes, spooledAtMs })
      })
      return found
    },

    async write(added, notes = []) {
      if (!writing) throw new Error(`"${path}" is closed`)
      const records = added.map(
        ({ sequence, json, spooledAtMs }): SpoolRecord => ({
          kind: 'position',
          first: sequence,
          second: spooledAtMs,
          text: json,
        }),
      )
      const isFirst = bytes === 0
      const encoded = encodeRecords([...notes, ...records])
      const buffer = isFirst ? Buffer.concat([header, encoded]) : encoded
      try {
        await writeFully(writing, buffer)
      } catch (error) {
        // If this fails, too, the next start cuts the torn end off; this file gets no further records.
        await writing.truncate(bytes).catch(() => undefined)
        throw error
      }
      counters.bytesWritten += buffer.length
      bytes += buffer.length
      for (const { sequence, bytes: size, spooledAtMs } of added) {
        while (firstSequence + sizes.length < sequence) sizes.push(0)
        sizes.push(size)
        entries += 1
        newest = Math.max(newest, spooledAtMs)
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
      counters.syncs += 1
      await writing?.datasync()
    },

    async seal() {
      const handle = writing
      writing = undefined
      await handle?.close()
    },

    async delete() {
      const handle = writing
      writing = undefined
      await handle?.close()
      await rm(path, { force: true })
      await rm(gonePath(path), { force: true })
    },
  }
}

/**
 * Writes the entries to the file that takes the place of the segment's. `replace` puts it there; until then the segment is unchanged.
 */
export async function rewriteSegment(
  folder: string,
  old: Segment,
  kept: readonly SpoolEntry[],
  counters: DiskCounters,
): Promise<{ segment: Segment; replace(): Promise<void> }> {
  const path = segmentPath(folder, old.firstSequence, old.thinned + 1)
  const fresh = `${path}.new`
  await rm(fresh, { force: true })
  const handle = await open(fresh, 'ax', 0o600)
  const content = { firstSequence: old.firstSequence, thinned: old.thinned + 1, newestAtMs: 0, fileBytes: 0, sizes: [] }
  const segment = toSegment(path, content, counters, handle)
  try {
    await segment.write(kept)
    await segment.sync()
  } finally {
    await segment.seal()
  }
  return {
    segment,
    async replace() {
      await rename(fresh, path)
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
