/**
 * Reads what the page of a device shows of its recent reports.
 * In: the answer of `listRecentReports`, and the target that the user chose. Out: rows of the table and tracks of the drawing,
 * both bounded, and what was left out. Other requests get their turn between reports.
 */
import { setImmediate } from 'node:timers/promises'
import type { RecentPositionReport, RecentPositionReportList } from '@posrep/spec'
import type { JsonList } from '../../http/operation/json-list.ts'

export type Position = RecentPositionReport['positions'][number]

export interface RecentRow extends Pick<RecentPositionReport, 'receivedTimeStamp' | 'tags'> {
  position: Position
}

export interface Track {
  name: string
  /** Oldest first. */
  points: { lat: number; lon: number }[]
}

export interface RecentPositions {
  /** The newest positions of the chosen target, or of all targets; newest report first. */
  rows: RecentRow[]
  /** The number of positions that were read and could be rows. */
  matching: number
  /** The number of positions that were read. */
  read: number
  /** There are older reports, which were not read. */
  hasOlder: boolean
  tracks: Track[]
  /** The number of targets without a track. */
  undrawn: number
}

/** A report as it was submitted may have mistakes that the compat profile accepts; this corrects them. */
export type Mend = (submitted: unknown) => { value: unknown }

const maxRows = 20
/** The page shows the newest positions until one of these is reached. */
const maxPositions = 5_000
const maxCharacters = 4 * 1024 * 1024
const maxTracks = 100
/** Between turns of the event loop, about this many characters are parsed. */
const charactersPerTurn = 128 * 1024

export async function readPositions(
  list: JsonList<RecentPositionReportList>,
  { mend, target }: { mend: Mend; target?: string | undefined },
): Promise<RecentPositions> {
  const rows: RecentRow[] = []
  const tracks = new Map<string, Track>()
  const undrawn = new Set<string>()
  let [matching, read, characters, sinceTurn] = [0, 0, 0, 0]

  function add({ receivedTimeStamp, positions, tags }: RecentPositionReport): void {
    for (const position of positions) {
      if (target !== undefined && toTargetName(position) !== target) continue
      matching++
      if (rows.length < maxRows) rows.push({ receivedTimeStamp, position, tags })
    }
    for (const position of positions.toReversed()) draw(toTargetName(position), position.position)
    read += positions.length
  }

  function draw(name: string, { lat, lon }: Position['position']): void {
    const track = tracks.get(name)
    if (track) track.points.push({ lat, lon })
    else if (tracks.size < maxTracks || name === target) tracks.set(name, { name, points: [{ lat, lon }] })
    else undrawn.add(name)
  }

  const toResult = (hasOlder: boolean): RecentPositions => ({
    rows,
    matching,
    read,
    hasOlder,
    // They were added newest first.
    tracks: [...tracks.values()].map(({ name, points }) => ({ name, points: points.reverse() })),
    undrawn: undrawn.size,
  })

  for await (const items of list.items()) {
    for (const item of items) {
      if (read >= maxPositions || characters >= maxCharacters) return toResult(true)
      // The report was validated, after it was mended, when it was accepted.
      add(mend(JSON.parse(item)).value as RecentPositionReport)
      characters += item.length
      sinceTurn += item.length
      if (sinceTurn < charactersPerTurn) continue
      sinceTurn = 0
      await setImmediate()
    }
  }
  return toResult(list.rest?.truncated === true)
}

/** The beginning of a name: a sensor may send a name of any length. */
export function toTargetName({ target, id }: Position): string {
  return (target?.ids?.[0]?.id ?? target?.sourceId ?? id).slice(0, 200)
}
