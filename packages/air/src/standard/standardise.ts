/**
 * Converts the positions of a report to the toolkit's units and notations.
 * In: valid positions, and their times. Out: one standard position for each. Pure.
 */
import type { GeographicPosition, GeographicVector, Height, PositionData, Target } from '@posrep/spec'
import { toStandardIdentifiers } from '@posrep/spec/identifiers'
import { toEmergency } from './emergency.ts'
import type { StandardAltitude, StandardPosition, StandardTarget, StandardVelocity } from './standard-position.ts'

export function standardise(positions: readonly PositionData[], timesMs: readonly number[]): StandardPosition[] {
  return positions.map((position, index) => toStandardPosition(position, timesMs[index] ?? Number.NaN))
}

function toStandardPosition(given: PositionData, timeMs: number): StandardPosition {
  const { id, position, altitudes = [], onGround, groundVelocity, trueAirspeed, heading } = given
  const standard: StandardPosition = {
    id,
    timeMs,
    target: toStandardTarget(given.target),
    latDegrees: position.lat + 0,
    lonDegrees: position.lon === 180 ? -180 : position.lon + 0,
    accuracy: toAccuracy(position),
    altitudes: altitudes.map(toStandardAltitude),
  }
  if (position.source !== undefined) standard.source = position.source
  if (position.age !== undefined) standard.ageMs = toMs(position.age)
  if (onGround !== undefined) standard.onGround = onGround
  if (groundVelocity) standard.groundVelocity = toStandardVelocity(groundVelocity)
  if (trueAirspeed) standard.airVelocity = toStandardVelocity(trueAirspeed)
  if (heading !== undefined) standard.headingDegrees = (heading + 0) % 360
  return standard
}

function toStandardTarget({ type, confidence, sourceId, ids, additionalInfo }: Target = {}): StandardTarget {
  const standard: StandardTarget = { identifiers: toStandardIdentifiers(ids), ...toEmergency(additionalInfo) }
  if (type !== undefined) standard.type = type
  if (confidence !== undefined) standard.confidencePercent = confidence
  if (sourceId !== undefined) standard.sourceId = sourceId
  return standard
}

/** Length of a degree of latitude; a degree of longitude is never longer. */
const metresPerDegree = 111_195
/** About a centimetre. Further digits come from arithmetic, not from a sensor. */
const maxDecimals = 7

/**
 * Derives a missing accuracy from the last decimal of the coordinate with more decimals. The other coordinate may have
 * fewer only because JSON omits trailing zeros.
 */
function toAccuracy({ lat, lon, accuracy }: GeographicPosition): StandardPosition['accuracy'] {
  if (accuracy !== undefined) return { metres: accuracy, provenance: 'given' }
  const decimals = Math.min(Math.max(decimalsOf(lat), decimalsOf(lon)), maxDecimals)
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
  const standard: StandardAltitude = { heightMetres: height, datum, provenance: 'given' }
  if (accuracy !== undefined) standard.accuracyMetres = accuracy
  if (source !== undefined) standard.source = source
  if (age !== undefined) standard.ageMs = toMs(age)
  return standard
}

function toStandardVelocity(vector: GeographicVector): StandardVelocity {
  const { x, y, z, horizontalAccuracy, verticalAccuracy, source, age } = vector
  const standard: StandardVelocity = {}
  if (x !== undefined) standard.eastMetresPerSecond = x
  if (y !== undefined) standard.northMetresPerSecond = y
  if (z !== undefined) standard.upMetresPerSecond = z
  if (x !== undefined && y !== undefined) {
    standard.speedMetresPerSecond = finite(Math.hypot(x, y))
    if (standard.speedMetresPerSecond > 0) standard.directionDegrees = toDirection(x, y)
  }
  if (horizontalAccuracy !== undefined) standard.horizontalAccuracyMetresPerSecond = horizontalAccuracy
  if (verticalAccuracy !== undefined) standard.verticalAccuracyMetresPerSecond = verticalAccuracy
  if (source !== undefined) standard.source = String(source)
  if (age !== undefined) standard.ageMs = toMs(age)
  return standard
}

function toDirection(east: number, north: number): number {
  const degrees = Math.atan2(east, north) * (180 / Math.PI)
  // Rounding makes the sum 360 for directions just west of north.
  return (degrees < 0 ? degrees + 360 : degrees + 0) % 360
}

function toMs(seconds: number): number {
  return finite(seconds * 1_000)
}

/** Prevents Infinity: values near the end of the range of doubles are valid. */
function finite(value: number): number {
  return Math.min(value, Number.MAX_VALUE)
}
