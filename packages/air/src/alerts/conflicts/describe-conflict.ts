/**
 * Writes a conflict as the document has it, and as a sentence.
 * In: the encounter of two tracks, when they lose separation, and the advice. Out: the content of the alert.
 */
import type { AirAdvice, AirAltitude, AirConflictTrack, AirSeparation, GeographicPosition } from '@posrep/spec'
import { sigmasOfHorizontalBound } from '../../track/accuracy.ts'
import type { AlertContent } from '../alert-book.ts'
import { type Place, toMicrodegrees } from '../local-plane.ts'
import type { Mover, MoverAltitude } from '../mover.ts'
import { toTimestamp } from '../timestamp.ts'
import { nameTrack } from '../track-name.ts'
import { type Interval, type Separation, separationAt, timeOfClosestApproach } from './closest-approach.ts'
import type { Encounter } from './encounter.ts'
import { type ObservedClosest, positionAt } from './pair-memory.ts'

export interface Conflict {
  encounter: Encounter
  limits: AirSeparation
  loss: Interval
  nowMs: number
  /** If separation is lost already: how close they came. */
  closest: ObservedClosest | undefined
}

export function describeConflict(conflict: Conflict, advice: AirAdvice[]): AlertContent {
  const { encounter, limits, closest, nowMs } = conflict
  const { own, other, motion, altitudes } = encounter
  const names = `${nameTrack(own.track)} and ${nameTrack(other.track)}`
  const seconds = findClosestSeconds(conflict)
  const predicted = separationAt(motion, seconds)
  const hasPassed = seconds === 0 && closest !== undefined && encounter.rangeMetresPerSecond > 0
  const miss: Separation = hasPassed ? closest : predicted
  const places: [Place, Place] = hasPassed
    ? [closest.ownPosition, closest.otherPosition]
    : [positionAt(own, seconds), positionAt(other, seconds)]
  return {
    text: toText(names, encounter, miss, seconds),
    endText: closest
      ? `${names} passed within ${toDistances(closest)} and are no longer in conflict`
      : `${names} are no longer predicted to come too close`,
    conflict: {
      limits,
      timeToClosestSeconds: toTenths(seconds),
      closestAt: toTimestamp(hasPassed ? closest.atMs : nowMs + seconds * 1_000),
      horizontalMetres: toTenths(miss.horizontalMetres),
      verticalMetres: miss.verticalMetres === null ? null : toTenths(miss.verticalMetres),
      tracks: [toConflictTrack(own, altitudes?.own, places[0]), toConflictTrack(other, altitudes?.other, places[1])],
      advice,
    },
  }
}

/**
 * The horizontal closest approach, moved into the time in which both limits are violated: a climb may end that before.
 * Without relative motion there is no such time; then it is the moment of equal altitudes.
 */
function findClosestSeconds({ encounter, loss }: Conflict): number {
  const { motion } = encounter
  // Distances that hardly change are closest at a time that is mostly noise.
  const isSteady = Math.hypot(motion.eastMetresPerSecond, motion.northMetresPerSecond) < steadyMetresPerSecond
  const seconds = isSteady ? timeOfLevel(encounter) : timeOfClosestApproach(motion)
  return Math.max(loss.fromSeconds, Math.min(seconds, loss.toSeconds))
}

const steadyMetresPerSecond = 1

function timeOfLevel({ motion: { upMetres, upMetresPerSecond } }: Encounter): number {
  return upMetres === null || upMetresPerSecond === 0 ? 0 : -upMetres / upMetresPerSecond
}

function toText(names: string, { altitudes, rangeMetresPerSecond }: Encounter, miss: Separation, seconds: number) {
  const distances = toDistances(miss)
  const when = seconds > 0 ? `pass within ${distances} in ${Math.round(seconds)} s` : ''
  const now = rangeMetresPerSecond > 0 ? `passed within ${distances} and move apart` : `are within ${distances}`
  return `${names} ${when || now}${toAltitudeRemark(altitudes)}`
}

function toDistances({ horizontalMetres, verticalMetres }: Separation): string {
  const horizontal = `${Math.round(horizontalMetres)} m`
  return verticalMetres === null ? horizontal : `${horizontal} and ${Math.round(verticalMetres)} m of altitude`
}

function toAltitudeRemark(altitudes: Encounter['altitudes']): string {
  if (!altitudes) return '; their altitudes cannot be compared, so they may be level'
  const { uncertaintyMetres } = altitudes
  return uncertaintyMetres > 0 ? `; the altitudes are converted, to about ${Math.ceil(uncertaintyMetres)} m` : ''
}

/** What the prediction was computed from: the estimate as the track has it. */
function toConflictTrack(mover: Mover, altitude: MoverAltitude | undefined, closest: Place): AirConflictTrack {
  const { track } = mover
  return {
    trackId: mover.id,
    time: toTimestamp(track.timeMs),
    position: { ...toPosition(track), accuracy: toTenths(sigmasOfHorizontalBound * track.accuracyMetres) },
    ...(altitude && { altitude: toAltitude(altitude) }),
    groundVelocity: {
      x: toTenths(mover.eastMetresPerSecond),
      y: toTenths(mover.northMetresPerSecond),
      z: toTenths(mover.upMetresPerSecond),
    },
    closestPosition: toPosition(closest),
  }
}

function toAltitude({ given }: MoverAltitude): AirAltitude {
  const { heightMetres, datum, accuracyMetres, provenance, from } = given
  const altitude: AirAltitude = { height: toTenths(heightMetres), datum, provenance }
  if (accuracyMetres !== undefined) altitude.accuracy = toTenths(accuracyMetres)
  if (from !== undefined) altitude.from = from
  return altitude
}

function toPosition({ latDegrees, lonDegrees }: Place): GeographicPosition {
  return { lat: toMicrodegrees(latDegrees), lon: toMicrodegrees(lonDegrees) }
}

function toTenths(value: number): number {
  return Math.round(value * 10) / 10
}
