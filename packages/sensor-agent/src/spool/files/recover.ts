/**
 * Reads the folder at the start.
 * In: files, perhaps of a process that was killed. Out: segments that can be read to their end. A write that did not
 * finish is cut off; damaged records in the middle are skipped and counted. What a full or read-only disk does not let
 * it clean up stays.
 */
import { readdir, readFile, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreDiskError, isCode } from '@posrep/kernel/disk-errors'
import { AgentError } from '../../errors.ts'
import { createRanges } from '../ranges.ts'
import { findNewerVersion, header, recordOverheadBytes, scanRecords } from './record.ts'
import {
  createWaitingSince,
  gonePath,
  type Segment,
  type SegmentContext,
  type SegmentName,
  toSegment,
} from './segment.ts'

/** What the start found, for the users of the spool. */
export interface SpoolRecovery {
  /** Positions that were found and will be sent. */
  entries: number
  /** Positions that were dropped because they have waited for longer than `maxAgeMs`. */
  tooOld: number
  /** False if the process before this one was killed, or its machine lost power. */
  cleanStop: boolean
  /**
   * Positions that the process before this one stored in this time before its end may be lost, in ms: its `syncMs`
   * after a power cut, and after a kill with `memory-first`; otherwise 0. Those that the service had accepted are not
   * lost.
   */
  mayHaveLostMs: number
  /** Damaged positions in the middle of the files, which were skipped. */
  damaged: number
  /** Bytes that were cut from the ends of the files: writes that did not finish, and damage. */
  tornBytes: number
}

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

/** A JSON object has at least its braces. */
const leastJsonBytes = 2

interface SegmentFile extends SegmentName {
  path: string
}

/**
 * `cleanStop`: whether the process before ended its writes.
 *
 * @throws AgentError `spool_newer_format`; then nothing was changed.
 */
export async function recoverSegments(folder: string, context: SegmentContext, cleanStop: boolean): Promise<Recovered> {
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
  for (const [index, file] of current.entries()) {
    const { segment, damaged, damagedAtEnd, tornBytes, notes } = await readSegment(file, context)
    // Only the newest segment of a killed process can end with a write that did not finish.
    const isTorn = !cleanStop && file === current.at(-1)
    const next = current[index + 1]
    const lostAtEnd = next ? toLost(next.firstSequence - segment.endSequence(), tornBytes) : damagedAtEnd
    recovered.damaged += damaged + (isTorn || tornBytes === 0 ? lostAtEnd : Math.max(1, lostAtEnd))
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

/** Positions that damaged bytes had: the sequences that are missing, as far as they have room in the bytes. */
function toLost(missing: number, damagedBytes: number): number {
  return Math.max(0, Math.min(missing, Math.floor(damagedBytes / (recordOverheadBytes + leastJsonBytes))))
}

async function readSegment({ path, ...name }: SegmentFile, context: SegmentContext) {
  const goneFile = await readFile(gonePath(path)).catch(() => Buffer.alloc(0))
  const gone = createRanges()
  scanRecords(goneFile, ({ kind, first, second }) => {
    if (kind === 'gone') gone.add(first, second)
  })

  const file = await readFile(path)
  const notes: { through: number; dropped: number }[] = []
  const content = {
    endSequence: name.firstSequence,
    newestSinceMs: Number.NEGATIVE_INFINITY,
    entries: 0,
    bytes: 0,
    gone,
  }
  const waitingSince = createWaitingSince(context.ages)
  let damaged = 0
  let damagedBytes = 0
  const { goodBytes, damagedAtEnd } = scanRecords(file, (record) => {
    const { kind, first, second, textBytes } = record
    const waitingSinceMs = waitingSince(record)
    damagedBytes += record.damagedBytes
    if (kind === 'dropped') notes.push({ through: first, dropped: second })
    if (kind !== 'position' || first < content.endSequence) return
    if (damagedBytes > 0) damaged += toLost(missingBefore(first), damagedBytes)
    damagedBytes = 0
    content.endSequence = first + 1
    content.newestSinceMs = Math.max(
      content.newestSinceMs,
      context.ages.sinceMs({ spooledAtMs: second, waitingSinceMs }),
    )
    if (gone.has(first)) return
    content.entries += 1
    content.bytes += textBytes
  })
  const tornBytes = file.length - goodBytes
  if (tornBytes > 0) await truncate(path, goodBytes).catch(ignoreDiskError)
  const segment = toSegment(path, name, { ...content, fileBytes: goodBytes + goneFile.length }, context)
  return { segment, damaged, damagedAtEnd, tornBytes, notes }

  /** Those that were delivered are not missing. */
  function missingBefore(sequence: number): number {
    let missing = 0
    for (let one = content.endSequence; one < sequence; one += 1) if (!gone.has(one)) missing += 1
    return missing
  }
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
