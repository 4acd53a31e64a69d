/**
 * Brings the positions of a report into the units and notations of the house.
 * In: positions that hold to the document, and their times. Out: one standard position for each. Pure: what was submitted
 * stays as it is, and nothing here depends on when or how often it is done.
 */
import type { GeographicPosition, GeographicVector, Height, PositionData, Target } from '@posrep/spec'
import { toStandardIdentifiers } from './standard-identifier.ts'
import type { StandardAltitude, StandardPosition, StandardTarget, StandardVelocity } from './standard-position.ts'

export function standardise(positions: readonly PositionData[], timesMs: readonly number[]): StandardPosition[] {
  return positions.map((position, index) => toStandardPosition(position, timesMs[index] ?? Number.NaN))
}

function toStandardPosition(given: PositionData, timeMs: number): StandardPosition {
  const { id, position, altitudes = [], onGround, groundVelocity, trueAirspeed, heading } = given
  return {
    id,
    timeMs,
    target: toStandardTarget(given.target),
    latDegrees: position.lat + 0,
    lonDegrees: position.lon === 180 ? -180 : position.lon + 0,
    accuracy: toAccuracy(position),
    ...stated({ source: position.source, ageMs: toMs(position.age) }),
    altitudes: altitudes.map(toStandardAltitude),
    ...stated({
      onGround,
      groundVelocity: groundVelocity && toStandardVelocity(groundVelocity),
      airVelocity: trueAirspeed && toStandardVelocity(trueAirspeed),
      headingDegrees: heading === undefined ? undefined : heading % 360,
    }),
  }
}

function toStandardTarget({ type, confidence, sourceId, ids }: Target = {}): StandardTarget {
  return { ...stated({ type, confidencePercent: confidence, sourceId }), identifiers: toStandardIdentifiers(ids) }
}

/** A degree of latitude; one of longitude is never longer. */
const metresPerDegree = 111_195
/** A hundredth of a metre. Digits beyond that come from arithmetic, not from a sensor. */
const mostDecimals = 7

/**
 * Left out, it is that of the figures given: one of the last decimal, of the coordinate that has more of them, since a
 * zero at the end of the other is not written.
 */
function toAccuracy({ lat, lon, accuracy }: GeographicPosition): StandardPosition['accuracy'] {
  if (accuracy !== undefined) return { metres: accuracy, provenance: 'given' }
  const decimals = Math.min(Math.max(decimalsOf(lat), decimalsOf(lon)), mostDecimals)
  return { metres: metresPerDegree / 10 ** decimals, provenance: 'derived', from: 'the decimals of lat and lon' }
}

function decimalsOf(value: number): number {
  const text = String(value)
  const exponentAt = text.indexOf('e')
  if (exponentAt >= 0) return -Number(text.slice(exponentAt + 1))
  const pointAt = text.indexOf('.')
  return pointAt < 0 ? 0 : text.length - pointAt - 1
}

function toStandardAltitude({ height, datum, accuracy, source, age }: Height): StandardAltitude {
  return {
    heightMetres: height,
    datum,
    ...stated({ accuracyMetres: accuracy, source, ageMs: toMs(age) }),
    provenance: 'given',
  }
}

function toStandardVelocity(vector: GeographicVector): StandardVelocity {
  const { x, y, z, horizontalAccuracy, verticalAccuracy, source, age } = vector
  return {
    ...stated({ eastMetresPerSecond: x, northMetresPerSecond: y, upMetresPerSecond: z }),
    ...(x !== undefined && y !== undefined && toPolar(x, y)),
    ...stated({
      horizontalAccuracyMetresPerSecond: horizontalAccuracy,
      verticalAccuracyMetresPerSecond: verticalAccuracy,
      source: source === undefined ? undefined : String(source),
      ageMs: toMs(age),
    }),
  }
}

function toPolar(east: number, north: number): Pick<StandardVelocity, 'speedMetresPerSecond' | 'directionDegrees'> {
  const speedMetresPerSecond = finite(Math.hypot(east, north))
  if (speedMetresPerSecond === 0) return { speedMetresPerSecond }
  const degrees = Math.atan2(east, north) * (180 / Math.PI)
  // Just west of north, the sum is rounded to 360.
  return { speedMetresPerSecond, directionDegrees: (degrees < 0 ? degrees + 360 : degrees) % 360 }
}

function toMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : finite(seconds * 1_000)
}

/** Figures at the end of the range of doubles are valid and stay figures. */
function finite(value: number): number {
  return Math.min(value, Number.MAX_VALUE)
}

type Stated<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Without the members that are undefined. */
function stated<T extends object>(members: T): Stated<T> {
  const some: Stated<T> = {}
  // The keys of an object that was written down here.
  for (const key of Object.keys(members) as (keyof T)[]) {
    // Only undefined is left out.
    if (members[key] !== undefined) some[key] = members[key] as Exclude<T[keyof T], undefined>
  }
  return some
}
