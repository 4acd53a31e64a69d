/**
 * Reads the folder at the start.
 * In: files, perhaps of a process that was killed. Out: segments that can be read to their end. A write that did not finish is cut
 * off; damaged records in the middle are skipped and counted. What a full or read-only disk does not let it clean up stays.
 */
import { readdir, readFile, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreDiskError, isCode } from '../../disk-errors.ts'
import { AgentError } from '../../errors.ts'
import { createRanges } from './ranges.ts'
import { findNewerVersion, header, scanRecords } from './record.ts'
import { type DiskCounters, gonePath, type Segment, type SegmentName, toSegment } from './segment.ts'

export interface Recovered {
  /** Oldest first; each has entries. */
  segments: Segment[]
  /** Their entries that are not gone, and the sum of their texts. */
  entries: number
  bytes: number
  nextSequence: number
  /** Positions that were dropped since the folder was created. */
  dropped: number
  damaged: number
  tornBytes: number
}

interface SegmentFile extends SegmentName {
  path: string
}

/**
 * `cleanStop`: whether the process before ended its writes.
 *
 * @throws AgentError `spool_newer_format`; then nothing was changed.
 */
export async function recoverSegments(folder: string, counters: DiskCounters, cleanStop: boolean): Promise<Recovered> {
  const names = await readdir(folder).catch((error) => {
    // The disk did not take the folder.
    if (isCode(error, 'ENOENT')) return []
    throw error
  })
  const files = names.map((name) => toSegmentFile(folder, name)).filter((file) => file !== undefined)
  for (const { path } of files) await refuseNewerFormat(path)

  const latest = new Map<number, SegmentFile>()
  for (const file of files.toSorted((a, b) => a.thinned - b.thinned)) latest.set(file.firstSequence, file)
  const current = [...latest.values()].toSorted((a, b) => a.firstSequence - b.firstSequence)
  const used = new Set(current.flatMap(({ path }) => [path, gonePath(path)]))
  for (const name of names) {
    const path = join(folder, name)
    if (isOurs(name) && !used.has(path)) await rm(path, { force: true }).catch(ignoreDiskError)
  }

  const recovered: Recovered = {
    segments: [],
    entries: 0,
    bytes: 0,
    nextSequence: 1,
    dropped: 0,
    damaged: 0,
    tornBytes: 0,
  }
  let droppedThrough = 0
  for (const file of current) {
    const { segment, damaged, damagedAtEnd, tornBytes, notes } = await readSegment(file, counters)
    // Only the newest segment of a killed process can end with a write that did not finish.
    const isTorn = !cleanStop && file === current.at(-1)
    recovered.damaged += damaged + (isTorn || tornBytes === 0 ? damagedAtEnd : Math.max(1, damagedAtEnd))
    recovered.tornBytes += tornBytes
    for (const { through, dropped } of notes) {
      droppedThrough = Math.max(droppedThrough, through)
      recovered.dropped = Math.max(recovered.dropped, dropped)
    }
    recovered.nextSequence = Math.max(recovered.nextSequence, segment.endSequence(), droppedThrough + 1)
    recovered.segments.push(segment)
  }
  const isLeft = (segment: Segment) => segment.entries() > 0 && segment.endSequence() > droppedThrough + 1
  for (const segment of recovered.segments) if (!isLeft(segment)) await segment.delete().catch(ignoreDiskError)
  const segments = recovered.segments.filter(isLeft)
  for (const segment of segments) {
    recovered.entries += segment.entries()
    recovered.bytes += segment.bytes()
  }
  return { ...recovered, segments }
}

async function readSegment({ path, ...name }: SegmentFile, counters: DiskCounters) {
  const goneFile = await readFile(gonePath(path)).catch(() => Buffer.alloc(0))
  const gone = createRanges()
  scanRecords(goneFile, ({ kind, first, second }) => {
    if (kind === 'gone') gone.add(first, second)
  })

  const file = await readFile(path)
  const notes: { through: number; dropped: number }[] = []
  const content = { endSequence: name.firstSequence, newestAtMs: 0, entries: 0, bytes: 0, gone }
  const { goodBytes, damaged, damagedAtEnd } = scanRecords(file, ({ kind, first, second, textBytes }) => {
    if (kind === 'dropped') notes.push({ through: first, dropped: second })
    if (kind !== 'position' || first < content.endSequence) return
    content.endSequence = first + 1
    content.newestAtMs = Math.max(content.newestAtMs, second)
    if (gone.has(first)) return
    content.entries += 1
    content.bytes += textBytes
  })
  const tornBytes = file.length - goodBytes
  if (tornBytes > 0) await truncate(path, goodBytes).catch(ignoreDiskError)
  const segment = toSegment(path, name, { ...content, fileBytes: goodBytes + goneFile.length }, counters)
  return { segment, damaged, damagedAtEnd, tornBytes, notes }
}

async function refuseNewerFormat(path: string): Promise<void> {
  const version = findNewerVersion(await readFile(path))
  if (version === undefined) return
  const supported = header.toString('latin1').split(' ')[1]
  throw new AgentError(
    'spool_newer_format',
    `"${path}" has format ${version}, and this version reads ${supported}; install the version that wrote it, or give the agent another folder`,
  )
}

function toSegmentFile(folder: string, name: string): SegmentFile | undefined {
  const [, sequence, thinned] = /^(\d{16})-(\d{1,3})\.spool$/.exec(name) ?? []
  if (sequence === undefined) return undefined
  return { path: join(folder, name), firstSequence: Number(sequence), thinned: Number(thinned) }
}

function isOurs(name: string): boolean {
  return /^\d{16}-\d{1,3}\.(?:spool|spool\.new|gone)$/.test(name)
}
