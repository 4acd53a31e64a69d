/**
 * Reads what the page of a device shows of its recent reports.
 * In: the answer of `listRecentReports`. Out: targets with their newest positions, bounded, and what was left out.
 * Other requests get their turn between reports.
 */
import { setImmediate } from 'node:timers/promises'
import { toName } from '@posrep/air/words'
import type { RecentPositionReport, RecentPositionReportList } from '@posrep/spec'
import type { JsonList } from '../../http/operation/json-list.ts'
import { toJsonText } from '../../http/operation/json-text.ts'
import type { Mend } from '../../ports/mend.ts'

export type Position = RecentPositionReport['positions'][number]
type Identifiers = NonNullable<NonNullable<Position['target']>['ids']>

export interface SeenPosition extends Pick<RecentPositionReport, 'receivedTimeStamp' | 'tags'> {
  position: Position
}

export interface RecentTarget {
  /** Its first identifier. */
  id: string
  /** As on the map and in alerts: its call sign, if any position has it. */
  name: string
  /** The newest positions, newest first, at least one. */
  seen: [SeenPosition, ...SeenPosition[]]
  /** The number of positions that were read. */
  count: number
}

export interface RecentPositions {
  /** The targets that were seen last, newest first. */
  targets: RecentTarget[]
  /** The number of targets that are not listed. */
  unlisted: number
  /** The number of positions that were read. */
  read: number
  /** There are older reports, which were not read. */
  hasOlder: boolean
}

const maxTargets = 50
const maxSeen = 4
/** The page shows the newest positions until one of these is reached. */
const maxPositions = 5_000
const maxCharacters = 4 * 1024 * 1024
/** Between turns of the event loop, about this many characters are parsed. */
const charactersPerTurn = 128 * 1024

export async function readPositions(
  list: JsonList<RecentPositionReportList>,
  { mend }: { mend: Mend },
): Promise<RecentPositions> {
  const targets = new Map<string, RecentTarget & { identifiers: Identifiers }>()
  const unlisted = new Set<string>()
  let [read, characters, sinceTurn] = [0, 0, 0]

  function add({ receivedTimeStamp, positions, tags }: RecentPositionReport): void {
    for (const position of positions.toReversed()) {
      see(toTargetId(position), { receivedTimeStamp, tags, position })
    }
    read += positions.length
  }

  function see(id: string, seen: SeenPosition): void {
    const target = targets.get(id)
    const identifiers = seen.position.target?.ids ?? []
    if (target) {
      target.count++
      target.identifiers.push(...identifiers.filter(({ type }) => target.identifiers.every((one) => one.type !== type)))
      if (target.seen.length < maxSeen) target.seen.push(seen)
    } else if (targets.size < maxTargets)
      targets.set(id, { id, name: id, identifiers: [...identifiers], seen: [seen], count: 1 })
    else unlisted.add(id)
  }

  const toResult = (hasOlder: boolean): RecentPositions => ({
    targets: [...targets.values()]
      .map(({ identifiers, ...rest }) => ({ ...rest, name: toName({ id: rest.id, identifiers }) }))
      .sort(byTimeAndName),
    unlisted: unlisted.size,
    read,
    hasOlder,
  })

  for await (const items of list.items()) {
    for (const item of items) {
      if (read >= maxPositions || characters >= maxCharacters) return toResult(true)
      // The report was validated, after it was mended, when it was accepted.
      const text = toJsonText(item)
      add(mend(JSON.parse(text)).value as RecentPositionReport)
      characters += text.length
      sinceTurn += text.length
      if (sinceTurn < charactersPerTurn) continue
      sinceTurn = 0
      await setImmediate()
    }
  }
  return toResult(list.members().truncated === true)
}

/**
 * Newest first; targets of one report by name, so that they stay in place. Shorter names first: 2 before 10. ICAO
 * addresses are hexadecimal, so their digits are no numbers.
 */
function byTimeAndName(a: RecentTarget, b: RecentTarget): number {
  const [newestOfA, newestOfB] = [a, b].map(({ seen: [{ receivedTimeStamp }] }) => Date.parse(receivedTimeStamp))
  if (newestOfA !== newestOfB) return (newestOfB ?? 0) - (newestOfA ?? 0)
  return a.name.length === b.name.length ? (a.name < b.name ? -1 : 1) : a.name.length - b.name.length
}

/** The beginning of an ID: a sensor may send one of any length. */
function toTargetId({ target, id }: Position): string {
  return (target?.ids?.[0]?.id ?? target?.sourceId ?? id).slice(0, 200)
}
