/**
 * Decides which track a position belongs to: by a strong identifier, by the sensor's own id, by the gate.
 * In: an observation. Out: the decision; it changes nothing. Of equal candidates the older track wins, so that the
 * result does not depend on the order of an index.
 */

import type { StandardIdentifier } from '../../standard/standard-position.ts'
import { gateParameters, lifeParameters, startParameters } from '../parameters.ts'
import { areContradictory, areSame, isStrong, strongOf } from '../targets/identifiers.ts'
import type { Source, Target } from '../targets/target.ts'
import type { TargetIndex } from '../targets/target-index.ts'
import type { Because, Misfit } from './decided.ts'
import { areDistinct } from './distinct.ts'
import { type Distance, distanceTo, isReachable } from './gate.ts'
import type { Observation } from './observation.ts'

export type Decision =
  | {
      kind: 'join'
      reason: 'identifier' | 'source' | 'gate'
      target: Target
      distance: Distance
      identifier?: StandardIdentifier
    }
  | Start
  /** The position has no id of its own and fits several tracks equally well. */
  | { kind: 'ambiguous' }

export interface Start {
  kind: 'start'
  reason: 'started' | 'split'
  because: Because
  other?: Target
  distance?: Distance
  identifier?: StandardIdentifier
}

interface Candidate {
  target: Target
  distance: Distance
}

export function associate(index: TargetIndex, observation: Observation): Decision {
  return byIdentifier(index, observation) ?? bySource(index, observation) ?? byGate(index, observation)
}

function byIdentifier(index: TargetIndex, observation: Observation): Decision | undefined {
  const { identifiers } = observation.reception.position.target
  let jumped: (Candidate & { identifier: StandardIdentifier }) | undefined
  for (const identifier of strongOf(identifiers)) {
    let best: Candidate | undefined
    for (const target of index.withIdentifier(identifier)) {
      if (areContradictory(identifiers, target.track.identifiers)) continue
      const distance = distanceTo(target, index.sensor(target.deviceUrn), observation)
      const candidate = { target, distance }
      if (!isReachable(target, observation, distance)) jumped = { ...candidate, identifier }
      else if (!best || isCloser(candidate, best)) best = candidate
    }
    if (best) return { kind: 'join', reason: 'identifier', identifier, target: best.target, distance: best.distance }
  }
  return jumped && toJump(jumped)
}

function bySource(index: TargetIndex, observation: Observation): Decision | undefined {
  const { sensor, sourceId, reception } = observation
  const target = sourceId === undefined ? undefined : sensor.sources.get(sourceId)
  if (!target) return undefined
  const distance = distanceTo(target, index.sensor(target.deviceUrn), observation)
  const { identifiers } = reception.position.target
  if (areContradictory(identifiers, target.track.identifiers)) {
    const [identifier] = strongOf(identifiers)
    const because = 'contradicted'
    return { kind: 'start', reason: 'split', other: target, distance, because, ...(identifier && { identifier }) }
  }
  if (isReachable(target, observation, distance)) return { kind: 'join', reason: 'source', target, distance }
  // The sensor has given its id to another target, or to two: that may be a known one.
  const other = byGate(index, observation)
  return other.kind === 'join' ? other : toJump({ target, distance })
}

function toJump({ target, distance, identifier }: Candidate & { identifier?: StandardIdentifier }): Start {
  const because = 'jumped'
  return { kind: 'start', reason: 'split', other: target, distance, because, ...(identifier && { identifier }) }
}

function byGate(index: TargetIndex, observation: Observation): Decision {
  const { position } = observation.reception
  const { identifiers } = position.target
  let best: Candidate | undefined
  let second: Candidate | undefined
  let nearest: (Candidate & { because: Misfit }) | undefined
  index.visitNear(position.latDegrees, position.lonDegrees, (target) => {
    if (!isNear(target, observation)) return
    const distance = distanceTo(target, index.sensor(target.deviceUrn), observation)
    const because = whyNot(target, distance, observation)
    const candidate = { target, distance }
    if (because !== undefined) {
      if (!nearest || isNearer(candidate, nearest)) nearest = { ...candidate, because }
    } else if (!best || isCheaper(candidate, best)) {
      second = best
      best = candidate
    } else if (!second || isCheaper(candidate, second)) second = candidate
  })
  if (best && !(second && isAmbiguous(best, second))) {
    const { track } = best.target
    const identifier = identifiers.find((one) => track.identifiers.some((other) => areSame(one, other)))
    return { kind: 'join', reason: 'gate', ...best, ...(identifier && { identifier }) }
  }
  if (best) {
    if (observation.sourceId === undefined && !identifiers.some(isStrong)) return { kind: 'ambiguous' }
    nearest = { ...best, because: 'isNotTheOnlyOne' }
  }
  return {
    kind: 'start',
    reason: 'started',
    because: nearest?.because ?? 'nothingNear',
    ...(nearest && { other: nearest.target, distance: nearest.distance }),
  }
}

/** Undefined if the position may belong to the track. */
function whyNot(target: Target, distance: Distance, observation: Observation): Misfit | undefined {
  const { identifiers } = observation.reception.position.target
  if (!isFitting(target, distance, identifiers) && !isSecond(target, distance, observation)) return 'misfits'
  if (areContradictory(identifiers, target.track.identifiers)) return 'hasOtherIdentifier'
  const { contributions } = target.track
  const { sensor, sourceId } = observation
  const isOfTarget = (one: Source) => one.deviceUrn === sensor.deviceUrn && one.sourceId === sourceId
  if (sourceId !== undefined && contributions.some(isOfTarget)) return undefined
  return contributions.some((source) => isApart(source, observation)) ? 'isOtherOfSensor' : undefined
}

function isFitting({ track }: Target, distance: Distance, identifiers: readonly StandardIdentifier[]): boolean {
  const { newTarget, weakIdentifierFactor, bounds } = gateParameters
  if (distance.isInside && distance.cost <= newTarget) return true
  if (distance.squared > weakIdentifierFactor * bounds[1]) return false
  return identifiers.some((one) => track.identifiers.some((other) => areSame(one, other)))
}

/** A track of one position has no velocity: the next one of that sensor is where a target can have flown. */
function isSecond(
  { hits, deviceUrn, motion, track }: Target,
  { isInside, horizontalMetres }: Distance,
  { sensor, measured }: Observation,
): boolean {
  const elapsedMs = measured.timeMs - motion.timeMs
  if (hits > 1 || track.velocity || sensor.deviceUrn !== deviceUrn || !isInside || elapsedMs <= 0) return false
  const { metresPerSecond, scans, sigmas } = startParameters
  if (sensor.scanMs > 0 && elapsedMs > scans * sensor.scanMs) return false
  return horizontalMetres <= (metresPerSecond * elapsedMs) / 1_000 + sigmas * Math.sqrt(2 * measured.variance)
}

/** The sensor itself tells the two apart: it has another id for the target, or reports both at one time. */
function isApart(source: Source, { sensor, sourceId, measured, reception }: Observation): boolean {
  if (source.deviceUrn !== sensor.deviceUrn) return false
  if (sourceId !== undefined && source.sourceId !== undefined) {
    return sourceId !== source.sourceId && measured.timeMs - source.timeMs < lifeParameters.tentativeMs
  }
  const { latDegrees, lonDegrees } = reception.position
  return source.timeMs === measured.timeMs && (source.latDegrees !== latDegrees || source.lonDegrees !== lonDegrees)
}

/** Two tracks that may be one target are no alternatives; tracks of two targets are. */
function isAmbiguous(best: Candidate, second: Candidate): boolean {
  if (second.distance.cost - best.distance.cost >= gateParameters.ambiguity) return false
  return areDistinct(best.target, second.target)
}

/** A cheap test before the exact one. */
function isNear({ motion }: Target, { measured }: Observation): boolean {
  const { place, timeMs } = measured
  const x = motion.x - place.x
  const y = motion.y - place.y
  const z = motion.z - place.z
  const metres = gateParameters.searchMetres + maxSpeed * Math.abs(timeMs - motion.timeMs)
  return (x * x + y * y + z * z) * earthRadiusMetres ** 2 < metres * metres
}

/** Metres per millisecond. */
const maxSpeed = 0.35
const earthRadiusMetres = 6_371_000

function isCloser(a: Candidate, b: Candidate): boolean {
  return a.distance.squared === b.distance.squared
    ? a.target.number < b.target.number
    : a.distance.squared < b.distance.squared
}

function isCheaper(a: Candidate, b: Candidate): boolean {
  return a.distance.cost === b.distance.cost ? a.target.number < b.target.number : a.distance.cost < b.distance.cost
}

function isNearer(a: Candidate, b: Candidate): boolean {
  return a.distance.horizontalMetres === b.distance.horizontalMetres
    ? a.target.number < b.target.number
    : a.distance.horizontalMetres < b.distance.horizontalMetres
}
