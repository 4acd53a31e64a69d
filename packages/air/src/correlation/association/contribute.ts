/**
 * Adds a position to a track: source, identifiers, filters, and what others see.
 * In: an observation and the track that it belongs to. Out: 'diverged', and nothing is added, if the position shows
 * that its source has left the track for good; otherwise 'taken'.
 */
import { historyLimit } from '../budget.ts'
import { updateClimb } from '../filter/climb.ts'
import { acrossVarianceOf, alongVarianceOf, type ErrorCovariance } from '../filter/error-covariance.ts'
import { type Innovation, innovationOf } from '../filter/innovation.ts'
import { doubt, update, widen } from '../filter/motion.ts'
import {
  biasParameters,
  clockParameters,
  filterParameters,
  gateParameters,
  rivalParameters,
  splitParameters,
} from '../parameters.ts'
import type { Picture } from '../picture.ts'
import { compareSensors } from '../sensors/compare-sensors.ts'
import { doubtPlace } from '../sensors/doubt-place.ts'
import { errorsBetween } from '../sensors/errors-at.ts'
import { outranks } from '../sensors/rank.ts'
import { doubtClock, isFarAhead, learnScan, type Sensor } from '../sensors/sensor.ts'
import { findPolarSite } from '../sensors/site.ts'
import { showEstimate, showReport } from '../show.ts'
import { addPoint } from '../targets/history.ts'
import type { Source, Target, Velocity } from '../targets/target.ts'
import { type Distance, uncertaintyBetween } from './gate.ts'
import type { Join } from './join.ts'
import type { Observation } from './observation.ts'
import { toPositionSource } from './position-source.ts'

export function contribute(
  picture: Picture,
  target: Target,
  source: Source,
  observation: Observation,
  { distance, reason }: Join,
): 'taken' | 'diverged' {
  const reference = picture.index.sensor(target.deviceUrn)
  let use = judge(picture, target, source, observation, distance)
  if (use === 'diverged') {
    const isSensorWrong =
      reason === 'identifier' &&
      (isClockWrong(picture, target, source, observation, distance) ||
        isPlaceWrong(reference, source, observation, distance))
    if (!isSensorWrong) return use
    use = 'ignored'
  }
  if (reason !== 'gate' || isPlot(observation, reference))
    learnErrors(target, source, reference, observation, distance, reason === 'identifier')
  if (use !== 'ignored') updateFilters(target, reference, observation, distance, use === 'manoeuvre')
  count(target, source, observation)
  showReport(target, source, observation)
  showEstimate(picture, target)
  const { latDegrees, lonDegrees, altitudes } = observation.reception.position
  const { timeMs } = observation.measured
  const { deviceUrn } = observation.sensor
  addPoint(target.history, timeMs, deviceUrn, latDegrees, lonDegrees, altitudes, historyLimit(picture.index))
  picture.changes.changed.add(target)
  return 'taken'
}

/** Of a sensor that stands: an error of its azimuth moves all of its plots together, so a wrong choice does little. */
function isPlot({ sensor, sourceId }: Observation, reference: Sensor): boolean {
  return sourceId === undefined && findPolarSite(sensor) !== undefined && outranks(reference, sensor)
}

type Use = 'update' | 'manoeuvre' | 'ignored' | 'diverged'

/** How the filter uses a position, and whether the source has diverged from the others of the track. */
function judge(
  { index }: Picture,
  target: Target,
  source: Source,
  { measured, sensor }: Observation,
  { innovation }: Distance,
): Use {
  const squared = squaredOf(innovation)
  const age = target.motion.timeMs - measured.timeMs
  if (age > filterParameters.maxRetrodictionMs) return 'ignored'
  const { reports, durationMs } = splitParameters
  // A source is contradicted by those only that do not rank below it.
  const others = othersInGate(target, source, measured.timeMs).filter(
    ({ deviceUrn }) => !outranks(sensor, index.sensor(deviceUrn)),
  )
  if (others.length === 0 || squared <= horizontalBound) {
    source.strays = 0
    source.inGateMs = Math.max(source.inGateMs, measured.timeMs)
    return squared <= manoeuvreBound || age > 0 ? 'update' : 'manoeuvre'
  }
  if (source.strays === 0) source.straysSinceMs = measured.timeMs
  source.strays++
  const isContradicted = others.some(({ inGateMs }) => inGateMs > source.straysSinceMs)
  if (!isContradicted) return source.strays > 1 && age <= 0 ? 'manoeuvre' : 'ignored'
  const isForGood = source.strays >= reports && measured.timeMs - source.straysSinceMs >= durationMs
  return isForGood ? 'diverged' : 'ignored'
}

function othersInGate({ track }: Target, source: Source, timeMs: number): Source[] {
  return track.contributions.filter((other) => other !== source && timeMs - other.inGateMs < splitParameters.activeMs)
}

const horizontalBound = 1.5 * gateParameters.bounds[1]
const manoeuvreBound = 6
const maxWidening = 50
const { maxComparisonMs, maxOffsetSeconds, minSpeedMetresPerSecond, steadyMetresPerSecond } = clockParameters

function updateFilters(
  target: Target,
  reference: Sensor,
  observation: Observation,
  { innovation }: Distance,
  isManoeuvre: boolean,
): void {
  const { sensor, measured } = observation
  const { motion } = target
  changeReference(target, reference, observation)
  if (isManoeuvre) {
    widen(motion, Math.min(maxWidening, squaredOf(innovation) / manoeuvreBound))
    update(motion, measured, innovationOf(motion, measured, uncertaintyBetween(measured, sensor, reference)))
  } else update(motion, measured, innovation)
  const climb = updateClimb(target.climb, observation)
  if (climb) target.climb = climb
}

/**
 * The estimate takes the clock and place of a sensor that outranks the reference, and of any other when the reference
 * is silent. Those of the sensor before become an uncertainty.
 */
function changeReference(target: Target, reference: Sensor, { sensor, measured }: Observation): void {
  if (sensor === reference) return
  if (outranks(sensor, reference)) {
    takeReference(target, sensor, uncertaintyBetween(measured, sensor, reference))
    return
  }
  for (const { deviceUrn, timeMs } of target.track.contributions) {
    if (deviceUrn === reference.deviceUrn && measured.timeMs - timeMs < maxComparisonMs) return
  }
  takeReference(target, sensor, uncertaintyBetween(measured, sensor, reference))
}

export function takeReference(target: Target, sensor: Sensor, errors: Readonly<ErrorCovariance>): void {
  const { along, across, eastMetresPerSecond: east, northMetresPerSecond: north } = target.motion
  const speed = Math.hypot(east, north)
  const [alongEast, alongNorth] = speed > 0 ? [east / speed, north / speed] : [1, 0]
  doubt(
    target.motion,
    alongVarianceOf(errors, alongEast, alongNorth, speed) + errors.time * along.velocity,
    acrossVarianceOf(errors, alongEast, alongNorth) + errors.time * across.velocity,
  )
  target.deviceUrn = sensor.deviceUrn
}

function squaredOf({ along, across, alongVariance, acrossVariance }: Innovation): number {
  return (along * along) / alongVariance + (across * across) / acrossVariance
}

/** A target whose identity is certain shows how far the clocks and places of two sensors are apart. */
function learnErrors(
  target: Target,
  source: Source,
  reference: Sensor,
  { sensor, measured, reception }: Observation,
  { innovation }: Distance,
  isNamed: boolean,
): void {
  const { velocity, timeMs } = target.track
  const { receivedAtMs } = reception
  if (isFarAhead(reception.position.timeMs, receivedAtMs)) return
  if (!isNamed && isUndecided(source, measured.timeMs)) return
  if (sensor === reference || !velocity || Math.abs(measured.timeMs - timeMs) > maxComparisonMs) return
  const { east, north } = steadyVelocityOf(source, velocity)
  const speed = Math.hypot(east, north)
  if (speed < minSpeedMetresPerSecond) return
  if (isNamed && squaredOf(innovation) <= horizontalBound) sensor.agreedAtMs = receivedAtMs
  const { along, across, alongVariance, acrossVariance } = innovation
  const eastMetres = along * innovation.alongEast - across * innovation.alongNorth
  const northMetres = along * innovation.alongNorth + across * innovation.alongEast
  const [alongEast, alongNorth] = [east / speed, north / speed]
  compareSensors(
    sensor,
    reference,
    {
      place: measured.place,
      alongEast,
      alongNorth,
      speedMetresPerSecond: speed,
      alongMetres: eastMetres * alongEast + northMetres * alongNorth,
      acrossMetres: northMetres * alongEast - eastMetres * alongNorth,
      alongVariance,
      acrossVariance,
    },
    receivedAtMs,
  )
}

/** Another target of the sensor may be the one, or is not known yet: errors would be those of the wrong choice. */
function isUndecided({ rival, sinceMs }: Source, timeMs: number): boolean {
  if (timeMs - sinceMs < rivalParameters.knownAfterMs) return true
  return rival !== undefined && rival.advantage > -rivalParameters.advantage
}

/**
 * The errors of the estimated velocity are also in the innovation. A velocity that follows each of them would make the
 * clock and the place of the sensor wander off in opposite directions, so it stays until the target turns.
 */
function steadyVelocityOf(source: Source, velocity: NonNullable<Target['track']['velocity']>): Velocity {
  const { eastMetresPerSecond: east, northMetresPerSecond: north } = velocity
  const known = source.steadyVelocity
  if (known && Math.hypot(known.east - east, known.north - north) <= steadyMetresPerSecond) return known
  source.steadyVelocity = { east, north }
  return source.steadyVelocity
}

/**
 * A target of certain identity that is on its path, but behind or ahead, is there: the clock of the sensor is wrong,
 * and from now on less certain. So its next positions are inside of the gate, and correct it.
 */
function isClockWrong(
  { index }: Picture,
  target: Target,
  source: Source,
  { sensor, measured }: Observation,
  { innovation }: Distance,
): boolean {
  const { along, across, acrossVariance } = innovation
  const { eastMetresPerSecond, northMetresPerSecond } = target.motion
  const speed = Math.hypot(eastMetresPerSecond, northMetresPerSecond)
  const seconds = Math.abs(along) / speed
  if (speed < minSpeedMetresPerSecond || seconds > maxOffsetSeconds) return false
  if (across * across > horizontalBound * acrossVariance) return false
  if (sensor.deviceUrn === target.deviceUrn) {
    // A sensor has no clock error against itself, so the estimate takes the clock of another one that agrees with it.
    const isOfAnother = ({ deviceUrn }: Source) => deviceUrn !== sensor.deviceUrn
    const other = othersInGate(target, source, measured.timeMs).find(isOfAnother)
    if (!other) return false
    const another = index.sensor(other.deviceUrn)
    takeReference(target, another, errorsBetween(another, sensor, target.motion))
  }
  doubtClock(sensor, seconds)
  source.strays = 0
  return true
}

/**
 * A target of certain identity that flies as its track does, but beside it, is there, unless the sensor has its other
 * targets in place: the place of the sensor is wrong, and from now on less certain.
 */
function isPlaceWrong(
  reference: Sensor,
  source: Source,
  { sensor, measured, reception }: Observation,
  { innovation, horizontalMetres }: Distance,
): boolean {
  const { receivedAtMs } = reception
  if (sensor === reference || horizontalMetres > biasParameters.maxMetres) return false
  if (receivedAtMs - sensor.agreedAtMs < biasParameters.agreedMs) return false
  const { velocityAlong, velocityAcross, velocityAlongVariance, velocityAcrossVariance } = innovation
  const isAlike =
    velocityAlong ** 2 <= horizontalBound * velocityAlongVariance &&
    velocityAcross ** 2 <= horizontalBound * velocityAcrossVariance
  if (!isAlike) return false
  doubtPlace(sensor, horizontalMetres, measured.place)
  sensor.agreedAtMs = receivedAtMs
  source.strays = 0
  return true
}

function count(target: Target, source: Source, { sensor, measured, reception }: Observation): void {
  const { track } = target
  if (source.positions > 0 && track.state === 'live') learnScan(sensor, measured.timeMs - source.timeMs)
  const { latDegrees, lonDegrees } = reception.position
  if (source.positions === 0 || source.timeMs !== measured.timeMs) target.hits++
  source.positions++
  if (measured.timeMs >= source.timeMs) source.positionSource = toPositionSource(reception.position.source)
  source.timeMs = Math.max(source.timeMs, measured.timeMs)
  source.lastSeenMs = Math.max(source.lastSeenMs, reception.receivedAtMs)
  source.latDegrees = latDegrees
  source.lonDegrees = lonDegrees
  track.positions++
  track.receivedAtMs = Math.max(track.receivedAtMs, reception.receivedAtMs)
  target.heardAtMs = Math.max(target.heardAtMs, reception.receivedAtMs)
}
