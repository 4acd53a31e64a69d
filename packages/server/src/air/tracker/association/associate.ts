/**
 * Decides which track a position belongs to: by a strong identifier, by the sensor's own id, by the gate.
 * In: an observation. Out: the decision; it changes nothing. Of equal candidates the older track wins, so that the result does not
 * depend on the order of an index.
 */

import type { StandardIdentifier } from '../../../standard/standard-position.ts'
import { gateParameters, lifeParameters } from '../parameters.ts'
import { areContradictory, areSame, isStrong, strongOf } from '../targets/identifiers.ts'
import type { Source, Target } from '../targets/target.ts'
import type { TargetIndex } from '../targets/target-index.ts'
import { areDistinct } from './distinct.ts'
import { type Distance, distanceTo, isReachable } from './gate.ts'
import type { Observation } from './observation.ts'
import { contradictedSentence, jumpSentence, startedSentence } from './sentences.ts'

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
  text: string
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
  return jumped && toJump(observation, jumped)
}

function bySource(index: TargetIndex, observation: Observation): Decision | undefined {
  const { sensor, sourceId, reception } = observation
  const target = sourceId === undefined ? undefined : sensor.sources.get(sourceId)
  if (!target) return undefined
  const distance = distanceTo(target, index.sensor(target.deviceUrn), observation)
  const { identifiers } = reception.position.target
  if (areContradictory(identifiers, target.track.identifiers)) {
    const [identifier] = strongOf(identifiers)
    const text = identifier ? contradictedSentence(identifier, target.track.id) : ''
    return { kind: 'start', reason: 'split', other: target, distance, text, ...(identifier && { identifier }) }
  }
  if (!isReachable(target, observation, distance)) return toJump(observation, { target, distance })
  return { kind: 'join', reason: 'source', target, distance }
}

function toJump(
  { sourceId }: Observation,
  { target, distance, identifier }: Candidate & { identifier?: StandardIdentifier },
): Start {
  const text = jumpSentence(identifier, sourceId, distance, target.track.id)
  return { kind: 'start', reason: 'split', other: target, distance, text, ...(identifier && { identifier }) }
}

function byGate(index: TargetIndex, observation: Observation): Decision {
  const { position } = observation.reception
  const { identifiers } = position.target
  let best: Candidate | undefined
  let second: Candidate | undefined
  let nearest: (Candidate & { why: string }) | undefined
  index.visitNear(position.latDegrees, position.lonDegrees, (target) => {
    if (!isNear(target, observation)) return
    const distance = distanceTo(target, index.sensor(target.deviceUrn), observation)
    const why = whyNot(target, distance, observation)
    const candidate = { target, distance }
    if (why !== undefined) {
      if (!nearest || isNearer(candidate, nearest)) nearest = { ...candidate, why }
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
    nearest = { ...best, why: 'is not the only one that fits' }
  }
  return {
    kind: 'start',
    reason: 'started',
    text: startedSentence(
      nearest && { trackId: nearest.target.track.id, distance: nearest.distance, why: nearest.why },
    ),
    ...(nearest && { other: nearest.target, distance: nearest.distance }),
  }
}

/** Undefined if the position may belong to the track. */
function whyNot(target: Target, distance: Distance, observation: Observation): string | undefined {
  const { identifiers } = observation.reception.position.target
  if (!isFitting(target, distance, identifiers)) return 'does not fit'
  if (areContradictory(identifiers, target.track.identifiers)) return 'has another identifier'
  for (const source of target.track.contributions) {
    if (isApart(source, observation)) return 'is another target of the same sensor'
  }
  return undefined
}

function isFitting({ track }: Target, distance: Distance, identifiers: readonly StandardIdentifier[]): boolean {
  const { newTarget, weakIdentifierFactor, bounds } = gateParameters
  if (distance.isInside && distance.cost <= newTarget) return true
  if (distance.squared > weakIdentifierFactor * bounds[1]) return false
  return identifiers.some((one) => track.identifiers.some((other) => areSame(one, other)))
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
