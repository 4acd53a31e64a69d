/**
 * A track as it is predicted for the moment of the update, so that all tracks have the same time.
 * In: a track and the time. Out: where it is then, straight ahead at constant velocity; undefined for a track whose
 * estimate is too old for that.
 */
import type { AltitudeDatum } from '@posrep/spec'
import type { StandardAltitude } from '../standard/standard-position.ts'
import type { Track } from '../track/track.ts'
import { displace, type Place, scaleAt } from './local-plane.ts'

export interface Mover extends Place {
  id: string
  track: Track
  /** Of the estimate; negative if the clock of its sensor is ahead. */
  ageMs: number
  eastMetresPerSecond: number
  northMetresPerSecond: number
  upMetresPerSecond: number
  speedMetresPerSecond: number
  hasVelocity: boolean
  isDrone: boolean
  onGround: boolean
  /** Of a degree at this place. */
  metresPerLatDegree: number
  metresPerLonDegree: number
  /** Standard deviation per axis, grown by the prediction. */
  accuracyMetres: number
  /** At the same time as the position. */
  altitudes: readonly MoverAltitude[]
}

export interface MoverAltitude {
  datum: AltitudeDatum
  heightMetres: number
  accuracyMetres?: number
  isGiven: boolean
  given: StandardAltitude
}

/** A track that is older, or whose clock is further ahead, is left out. */
const maxPredictionMs = 60_000
/** For a track whose velocity is unknown. */
const unknownSpeedMetresPerSecond = 100
/** Slower than this just above the ground, a target is on it. */
const groundSpeedMetresPerSecond = 20
const groundHeightMetres = 10

export function toMover(track: Track, nowMs: number): Mover | undefined {
  const ageMs = nowMs - track.timeMs
  if (!(Math.abs(ageMs) <= maxPredictionMs)) return undefined
  const seconds = ageMs / 1_000
  const { accuracyMetres } = track
  const velocity = track.velocity && isPossible(track.velocity) ? track.velocity : undefined
  const upMetresPerSecond = toPossibleClimb(track.upMetresPerSecond)
  const east = velocity?.eastMetresPerSecond ?? 0
  const north = velocity?.northMetresPerSecond ?? 0
  const speed = Math.hypot(east, north)
  const speedAccuracy = velocity ? velocity.accuracyMetresPerSecond : unknownSpeedMetresPerSecond
  const climb = upMetresPerSecond * seconds
  return {
    id: track.id,
    track,
    ...displace(track, { eastMetres: east * seconds, northMetres: north * seconds }),
    ...scaleAt(track.latDegrees),
    ageMs,
    eastMetresPerSecond: east,
    northMetresPerSecond: north,
    upMetresPerSecond,
    speedMetresPerSecond: speed,
    hasVelocity: velocity !== undefined,
    isDrone: track.type === 'aa:target:drone',
    onGround: track.onGround ?? isJustAboveGround(track, speed),
    accuracyMetres: Math.hypot(accuracyMetres, speedAccuracy * seconds),
    altitudes: track.altitudes.map((given) => toMoverAltitude(given, climb)),
  }
}

function toMoverAltitude(given: StandardAltitude, climbMetres: number): MoverAltitude {
  const { datum, heightMetres, accuracyMetres, provenance } = given
  const altitude: MoverAltitude = {
    datum,
    heightMetres: heightMetres + climbMetres,
    isGiven: provenance === 'given',
    given,
  }
  if (accuracyMetres !== undefined) altitude.accuracyMetres = accuracyMetres
  return altitude
}

/** Faster is an error of a sensor, and would reach everything. */
const maxSpeedMetresPerSecond = 1_500
const maxClimbMetresPerSecond = 300

function isPossible({ eastMetresPerSecond, northMetresPerSecond }: NonNullable<Track['velocity']>): boolean {
  return Math.hypot(eastMetresPerSecond, northMetresPerSecond) < maxSpeedMetresPerSecond
}

function toPossibleClimb(upMetresPerSecond = 0): number {
  return Math.abs(upMetresPerSecond) < maxClimbMetresPerSecond ? upMetresPerSecond : 0
}

/** Not for drones, which hover there. */
function isJustAboveGround({ type, altitudes }: Track, speedMetresPerSecond: number): boolean {
  if (type === 'aa:target:drone' || speedMetresPerSecond > groundSpeedMetresPerSecond) return false
  return altitudes.some(({ datum, heightMetres }) => datum === 'agl' && heightMetres < groundHeightMetres)
}
