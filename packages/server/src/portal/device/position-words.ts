/** What a position says, in words: altitude with its datum, speed, and the tags of its report that apply to it. */
import { datums } from '@posrep/air/words'
import type { Position, SeenPosition } from './recent-positions.ts'

export function toAltitude({ altitudes, onGround }: Position): string {
  if (onGround === true) return 'on the ground'
  const [first] = altitudes ?? []
  return first ? `${Math.round(first.height).toLocaleString('en')} m, ${datums[first.datum].long}` : '–'
}

export function toSpeed({ groundVelocity: { x, y } = {} }: Position): string {
  return x === undefined || y === undefined ? '–' : `${Math.round(Math.hypot(x, y))} m/s`
}

export interface TagWords {
  tag: string
  /** What it means, for this position. */
  meaning: string
}

const meanings: Record<string, string> = {
  late: 'The report has a position that was more than 5 minutes old when it was received',
  'clock-skew': "The report has a position from the future: the sensor's clock is more than a minute ahead",
  duplicate: 'The report was received before; it is not forwarded again',
  mended: 'The report had mistakes that the server corrected',
  'no-offset': 'The sensor sends times without an offset; they are read as UTC',
  'datum-not-msl': "The sensor's own altitude is not given above mean sea level",
}

/** Tags belong to reports. `not-mapped` is shown at the positions that caused it, with what they lack. */
export function toTags({ position, tags }: SeenPosition): TagWords[] {
  return tags.flatMap((tag): TagWords[] => {
    if (tag !== 'not-mapped') return [{ tag, meaning: meanings[tag] ?? 'Added by a stage of this server' }]
    const lacks = findMissing(position)
    return lacks.length === 0
      ? []
      : [{ tag, meaning: `Lacks ${lacks.join(', ')}, which maps need. The air picture uses the rest` }]
  })
}

/** The specification's minimum content for the map view, as `reports/report-summary.ts` checks it. */
function findMissing({ target, altitudes, groundVelocity: { x, y, z } = {}, onGround }: Position): string[] {
  const isMoving = x !== undefined && y !== undefined && z !== undefined
  return [
    ...(target?.ids?.some(({ type }) => type !== undefined) ? [] : ['an identifier with its type']),
    ...(altitudes?.length ? [] : ['an altitude']),
    ...(isMoving || onGround === true ? [] : ['a velocity with x, y and z']),
  ]
}
