/**
 * Adds a position to a track: source, identifiers, filters, and what others see.
 * In: an observation and the track that it belongs to. Out: 'diverged', and nothing is added, if the position shows that its
 * source has left the track for good; otherwise 'taken'.
 */
import { historyLimit } from '../budget.ts'
import { updateClimb } from '../filter/climb.ts'
import { type Innovation, innovationOf, update, widen } from '../filter/motion.ts'
import {
  accuracyParameters,
  clockParameters,
  filterParameters,
  gateParameters,
  splitParameters,
} from '../parameters.ts'
import type { Picture } from '../picture.ts'
import { clockVarianceBetween, compareClocks, doubtClock, isFarAhead, type Sensor } from '../sensors.ts'
import { showEstimate, showReport } from '../show.ts'
import { addPoint } from '../targets/history.ts'
import type { Source, Target } from '../targets/target.ts'
import { biasVariance, type Distance } from './gate.ts'
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
  let use = judge(target, source, observation, distance)
  if (use === 'diverged') {
    if (reason !== 'identifier' || !isClockWrong(picture, target, source, observation, distance)) return use
    use = 'ignored'
  }
  if (reason !== 'gate') learnClock(target, reference, observation, distance)
  if (use !== 'ignored') updateFilters(target, reference, observation, distance, use === 'manoeuvre')
  count(target, source, observation)
  showReport(target, observation)
  showEstimate(target)
  const { latDegrees, lonDegrees, altitudes } = observation.reception.position
  const { timeMs } = observation.measured
  const { deviceUrn } = observation.sensor
  addPoint(target.history, timeMs, deviceUrn, latDegrees, lonDegrees, altitudes, historyLimit(picture.index))
  picture.changes.changed.add(target)
  return 'taken'
}

type Use = 'update' | 'manoeuvre' | 'ignored' | 'diverged'

/** How the filter uses a position, and whether the source has diverged from the others of the track. */
function judge(target: Target, source: Source, { measured }: Observation, { innovation }: Distance): Use {
  const squared = squaredOf(innovation)
  const age = target.motion.timeMs - measured.timeMs
  if (age > filterParameters.maxRetrodictionMs) return 'ignored'
  const { reports, durationMs } = splitParameters
  const others = othersInGate(target, source, measured.timeMs)
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
const { maxComparisonMs, maxOffsetSeconds, minSpeedMetresPerSecond } = clockParameters

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
    const biasOfBoth = biasVariance(measured, sensor, reference)
    update(motion, measured, innovationOf(motion, measured, clockVarianceBetween(sensor, reference), biasOfBoth))
  } else update(motion, measured, innovation)
  const climb = updateClimb(target.climb, observation)
  if (climb) target.climb = climb
}

/** When the reference is silent, the estimate takes the clock and bias of another sensor: its own become an uncertainty. */
function changeReference(target: Target, reference: Sensor, { sensor, measured }: Observation): void {
  if (sensor === reference) return
  for (const { deviceUrn, timeMs } of target.track.contributions) {
    if (deviceUrn === reference.deviceUrn && measured.timeMs - timeMs < maxComparisonMs) return
  }
  takeReference(target, sensor, reference, biasVariance(measured, sensor, reference))
}

export function takeReference(target: Target, sensor: Sensor, reference: Sensor, bias: number): void {
  const { along, across, eastMetresPerSecond: east, northMetresPerSecond: north } = target.motion
  const clock = clockVarianceBetween(sensor, reference)
  along.position += clock * (east * east + north * north + along.velocity) + bias
  across.position += clock * across.velocity + bias
  target.deviceUrn = sensor.deviceUrn
}

function squaredOf({ along, across, alongVariance, acrossVariance }: Innovation): number {
  return (along * along) / alongVariance + (across * across) / acrossVariance
}

/** A target whose identity is certain shows how far the clocks of two sensors are apart. */
function learnClock(
  target: Target,
  reference: Sensor,
  { sensor, measured, reception }: Observation,
  { innovation }: Distance,
): void {
  const { velocity, timeMs } = target.track
  if (isFarAhead(reception.position.timeMs, reception.receivedAtMs)) return
  if (sensor === reference || !velocity || Math.abs(measured.timeMs - timeMs) > maxComparisonMs) return
  const speed = Math.hypot(velocity.eastMetresPerSecond, velocity.northMetresPerSecond)
  if (speed < minSpeedMetresPerSecond) return
  const clockPart = clockVarianceBetween(sensor, reference) * (speed * speed + target.motion.along.velocity)
  const variance = Math.max(0, innovation.alongVariance - clockPart) / (speed * speed)
  compareClocks(sensor, reference, -innovation.along / speed, variance, reception.receivedAtMs)
}

/**
 * A target of certain identity that is on its path, but behind or ahead, is there: the clock of the sensor is wrong, and from
 * now on less certain. So its next positions are inside of the gate, and correct it.
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
    takeReference(target, index.sensor(other.deviceUrn), sensor, accuracyParameters.biasFloorMetres ** 2)
  }
  doubtClock(sensor, seconds)
  source.strays = 0
  return true
}

function count(target: Target, source: Source, { measured, reception }: Observation): void {
  const { track } = target
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
