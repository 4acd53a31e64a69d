/**
 * When a track is in an area: inside the outline, between floor and ceiling, and while the area is active.
 * In: a track, an area and the time. Out: the first moment within the look-ahead; undefined if there is none.
 */
import type { Height } from '@posrep/spec'
import type { Interval } from '../conflicts/closest-approach.ts'
import type { Height as HeightAbove } from '../heights.ts'
import { type Place, scaleAt } from '../local-plane.ts'
import type { Mover } from '../mover.ts'
import { clear, lookAheadSeconds } from './limits.ts'
import type { WatchedArea } from './watched-area.ts'

export interface Entry {
  /** 0 if the track is in the area. */
  seconds: number
  position: Place
  /** Of the limits that could not be compared, because the track has no altitude. */
  unknownDatums: Height['datum'][]
  /** By which a converted altitude may be wrong: so much outside of the limits counts as inside. */
  uncertaintyMetres: number
}

/** The height of the track above a datum. */
export type Above = (datum: Height['datum']) => HeightAbove | undefined

interface Extent {
  lookAheadSeconds: number
  /** So far outside counts as inside. */
  metres: number
  verticalMetres: number
}

/**
 * @param isHeld An active alert is kept: a little outside counts as inside.
 * @param hasWorkLeft Asked before each further part of the way; when there is none, the rest is not looked at.
 */
export function findEntry(
  mover: Mover,
  watched: WatchedArea,
  nowMs: number,
  above: Above,
  isHeld: boolean,
  hasWorkLeft: () => boolean,
): Entry | undefined {
  const within = (extent: Extent) => findWithin(extent, mover, watched, nowMs, above, hasWorkLeft)
  if (!isHeld) return within({ lookAheadSeconds, metres: 0, verticalMetres: 0 })
  // A target that comes near is not inside before it has entered.
  return within({ ...clear, metres: 0, verticalMetres: 0 }) ?? within(clear)
}

function findWithin(
  extent: Extent,
  mover: Mover,
  watched: WatchedArea,
  nowMs: number,
  above: Above,
  hasWorkLeft: () => boolean,
): Entry | undefined {
  const seconds = extent.lookAheadSeconds
  const { ceiling } = watched.area.properties
  const floor = isGround(watched.area.properties.floor) ? undefined : watched.area.properties.floor
  const vertical = between(mover, above, floor, ceiling, extent.verticalMetres, seconds)
  if (!vertical) return undefined
  const active = activeWithin(watched, nowMs, seconds)
  if (active.length === 0) return undefined

  const first = firstInside(extent, mover, watched, (part) =>
    hasWorkLeft() ? firstCommon(part, vertical, active) : undefined,
  )
  if (first === undefined) return undefined
  const limits = [floor, ceiling].flatMap((limit) =>
    limit ? [{ datum: limit.datum, altitude: above(limit.datum) }] : [],
  )
  const unknownDatums = limits.flatMap(({ datum, altitude }) => (altitude ? [] : [datum]))
  const errors = limits.map(({ altitude }) => altitude?.errorMetres ?? 0)
  return {
    seconds: first,
    position: along(mover, first),
    unknownDatums: [...new Set(unknownDatums)],
    uncertaintyMetres: Math.max(0, ...errors),
  }
}

/** A floor at the ground is none. */
function isGround(floor: Height | undefined): boolean {
  return floor?.datum === 'agl' && floor.height <= 0
}

/** A limit does not exclude a track without any altitude. */
function between(
  mover: Mover,
  above: Above,
  floor: Height | undefined,
  ceiling: Height | undefined,
  margin: number,
  seconds: number,
): Interval | undefined {
  let fromSeconds = 0
  let toSeconds = seconds
  const keep = (heightMetres: number, rate: number) => {
    // The time in which heightMetres + rate * t is not negative.
    if (rate === 0) {
      if (heightMetres < 0) toSeconds = -1
    } else if (rate > 0) fromSeconds = Math.max(fromSeconds, -heightMetres / rate)
    else toSeconds = Math.min(toSeconds, -heightMetres / rate)
  }
  const rate = mover.upMetresPerSecond
  const aboveFloor = floor && above(floor.datum)
  const belowCeiling = ceiling && above(ceiling.datum)
  if (aboveFloor) keep(aboveFloor.heightMetres - floor.height + margin + aboveFloor.errorMetres, rate)
  if (belowCeiling) keep(ceiling.height - belowCeiling.heightMetres + margin + belowCeiling.errorMetres, -rate)
  return fromSeconds <= toSeconds ? { fromSeconds, toSeconds } : undefined
}

function activeWithin({ active }: WatchedArea, nowMs: number, seconds: number): Interval[] {
  if (!active) return [{ fromSeconds: 0, toSeconds: seconds }]
  return active.flatMap(({ fromMs, toMs }) => {
    const fromSeconds = Math.max(0, (fromMs - nowMs) / 1_000)
    const toSeconds = Math.min(seconds, (toMs - nowMs) / 1_000)
    return fromSeconds <= toSeconds && toMs > nowMs ? [{ fromSeconds, toSeconds }] : []
  })
}

/**
 * The way is divided where it crosses the outline; each part is inside or outside as a whole.
 * @param momentIn The first moment of a part that counts, undefined if none does. Whether a part is inside takes longer
 * to find.
 */
function firstInside(
  { lookAheadSeconds: seconds, metres }: Extent,
  mover: Mover,
  watched: WatchedArea,
  momentIn: (part: Interval) => number | undefined,
): number | undefined {
  if (metres > 0 && watched.isNearOutline(mover, metres)) {
    const moment = momentIn({ fromSeconds: 0, toSeconds: 0 })
    if (moment !== undefined) return moment
  }
  const parts = [0, ...watched.crossings(mover, along(mover, seconds)), 1]
  for (const [index, to] of parts.entries()) {
    const from = parts[index - 1]
    if (from === undefined) continue
    if (from === to && parts.length > 2) continue
    const moment = momentIn({ fromSeconds: from * seconds, toSeconds: to * seconds })
    if (moment !== undefined && watched.contains(along(mover, ((from + to) / 2) * seconds))) return moment
  }
  return undefined
}

function firstCommon(part: Interval, vertical: Interval, active: readonly Interval[]): number | undefined {
  const moments = active.flatMap((time) => {
    const from = Math.max(part.fromSeconds, vertical.fromSeconds, time.fromSeconds)
    return from <= Math.min(part.toSeconds, vertical.toSeconds, time.toSeconds) ? [from] : []
  })
  return moments.length > 0 ? Math.min(...moments) : undefined
}

/** A straight line in degrees, as the outlines of GeoJSON are (RFC 7946, 3.1.1). */
function along(mover: Mover, seconds: number): Place {
  const { metresPerLatDegree, metresPerLonDegree } = scaleAt(mover.latDegrees)
  return {
    latDegrees: mover.latDegrees + (mover.northMetresPerSecond * seconds) / metresPerLatDegree,
    lonDegrees: mover.lonDegrees + (mover.eastMetresPerSecond * seconds) / metresPerLonDegree,
  }
}
