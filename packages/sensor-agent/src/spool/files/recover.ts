/**
 * Reads the folder at the start.
 * In: files, perhaps of a process that was killed. Out: segments that can be read to their end. A write that did not finish is cut
 * off; damaged records in the middle are skipped and counted.
 */
import { readdir, readFile, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { AgentError } from '../../errors.ts'
import { findNewerVersion, header, scanRecords } from './record.ts'
import { type DiskCounters, gonePath, type Segment, toSegment } from './segment.ts'

export interface Recovered {
  /** Oldest first; each has entries. */
  segments: Segment[]
  nextSequence: number
  /** Positions that were dropped since the folder was created. */
  dropped: number
  damaged: number
  tornBytes: number
}

interface SegmentFile {
  path: string
  firstSequence: number
  thinned: number
}

/**
 * `cleanStop`: whether the process before ended its writes.
 *
 * @throws AgentError `spool_newer_format`; then nothing was changed.
 */
export async function recoverSegments(folder: string, counters: DiskCounters, cleanStop: boolean): Promise<Recovered> {
  const names = await readdir(folder)
  const files = names.map((name) => toSegmentFile(folder, name)).filter((file) => file !== undefined)
  for (const { path } of files) await refuseNewerFormat(path)

  const latest = new Map<number, SegmentFile>()
  for (const file of files.toSorted((a, b) => a.thinned - b.thinned)) latest.set(file.firstSequence, file)
  const current = [...latest.values()].toSorted((a, b) => a.firstSequence - b.firstSequence)
  const used = new Set(current.flatMap(({ path }) => [path, gonePath(path)]))
  for (const name of names) {
    const path = join(folder, name)
    if (isOurs(name) && !used.has(path)) await rm(path, { force: true })
  }

  const recovered: Recovered = { segments: [], nextSequence: 1, dropped: 0, damaged: 0, tornBytes: 0 }
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
  for (const segment of recovered.segments) if (!isLeft(segment)) await segment.delete()
  return { ...recovered, segments: recovered.segments.filter(isLeft) }
}

async function readSegment({ path, firstSequence, thinned }: SegmentFile, counters: DiskCounters) {
  const file = await readFile(path)
  const sizes: number[] = []
  const notes: { through: number; dropped: number }[] = []
  let newestAtMs = 0
  const { goodBytes, damaged, damagedAtEnd } = scanRecords(file, ({ kind, first, second, textBytes }) => {
    if (kind === 'dropped') notes.push({ through: first, dropped: second })
    if (kind !== 'position' || first < firstSequence + sizes.length) return
    while (firstSequence + sizes.length < first) sizes.push(0)
    sizes.push(textBytes)
    newestAtMs = Math.max(newestAtMs, second)
  })
  const tornBytes = file.length - goodBytes
  if (tornBytes > 0) await truncate(path, goodBytes)

  const gone = await readFile(gonePath(path)).catch(() => Buffer.alloc(0))
  scanRecords(gone, ({ kind, first, second }) => {
    if (kind !== 'gone') return
    const through = Math.min(second, firstSequence + sizes.length - 1)
    for (let sequence = Math.max(first, firstSequence); sequence <= through; sequence += 1) {
      sizes[sequence - firstSequence] = 0
    }
  })
  const content = { firstSequence, thinned, newestAtMs, fileBytes: goodBytes + gone.length, sizes }
  return { segment: toSegment(path, content, counters), damaged, damagedAtEnd, tornBytes, notes }
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
