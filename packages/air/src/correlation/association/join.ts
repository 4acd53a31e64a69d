/**
 * Joins the source of a position, and the position's identifiers, to a track. What is new is recorded as an
 * association.
 * In: an observation and the decision for a track. Out: the source in the track.
 */
import type { StandardIdentifier } from '../../standard/standard-position.ts'
import { dropOldestSource, hasRoomFor } from '../budget.ts'
import { absorb } from '../merge/absorb.ts'
import { boundParameters } from '../parameters.ts'
import { addAssociation, type Picture } from '../picture.ts'
import { areSame } from '../targets/identifiers.ts'
import type { Source, Target } from '../targets/target.ts'
import type { Decision } from './associate.ts'
import type { Decided } from './decided.ts'
import { areDistinct } from './distinct.ts'
import { type Distance, distanceTo } from './gate.ts'
import type { Observation } from './observation.ts'
import { toPositionSource } from './position-source.ts'

export type Join = Extract<Decision, { kind: 'join' }>

export function join(picture: Picture, observation: Observation, decision: Join): Source {
  const { target } = decision
  const { track } = target
  const { sensor, sourceId, reception } = observation
  const known = track.contributions.find((one) => one.deviceUrn === sensor.deviceUrn && one.sourceId === sourceId)
  if (!known) addAssociation(picture, target, toDecided(observation, decision))
  if (known && track.contributions[0] !== known) {
    track.contributions.splice(track.contributions.indexOf(known), 1)
    track.contributions.unshift(known)
  }
  const source = known ?? addSource(picture, target, observation)
  if (sourceId !== undefined) claim(picture, target, observation, sourceId, decision.identifier)
  for (const identifier of reception.position.target.identifiers) {
    const isNew = learn(picture, target, identifier)
    if (isNew && known) {
      addAssociation(picture, target, { ...toDecided(observation, decision), identifier, because: 'learnt' })
    }
  }
  return source
}

export function createSource({ sensor, sourceId, measured, reception }: Observation): Source {
  const { latDegrees, lonDegrees } = reception.position
  return {
    deviceUrn: sensor.deviceUrn,
    ...(sourceId !== undefined && { sourceId }),
    positionSource: toPositionSource(reception.position.source),
    lastSeenMs: reception.receivedAtMs,
    positions: 0,
    sinceMs: measured.timeMs,
    timeMs: measured.timeMs,
    latDegrees,
    lonDegrees,
    strays: 0,
    straysSinceMs: 0,
    inGateMs: 0,
  }
}

function addSource(picture: Picture, target: Target, observation: Observation): Source {
  const { contributions } = target.track
  if (contributions.length >= boundParameters.contributions) dropOldestSource(picture.index, target)
  const source = createSource(observation)
  contributions.unshift(source)
  return source
}

/** Moves a source to another track. */
export function takeSourceOf({ index }: Picture, target: Target, before: Target, source: Source): void {
  const { contributions } = before.track
  contributions.splice(contributions.indexOf(source), 1)
  target.track.contributions.unshift(source)
  delete source.rival
  source.strays = 0
  source.inGateMs = source.timeMs
  if (source.sourceId !== undefined) index.sensor(source.deviceUrn).sources.set(source.sourceId, target)
}

/** The source is of this track from now on. A track that it had alone before is the same target. */
function claim(
  picture: Picture,
  target: Target,
  observation: Observation,
  sourceId: string,
  identifier: StandardIdentifier | undefined,
): void {
  const { sensor } = observation
  const before = sensor.sources.get(sourceId)
  if (before === target) return
  sensor.sources.set(sourceId, target)
  if (!before || !identifier || before.track.contributions.length > 1 || areDistinct(before, target)) return
  if (!distanceTo(before, picture.index.sensor(before.deviceUrn), observation).isInside) return
  if (before.number > target.number) absorb(picture, target, before, { identifier })
}

/** True if the track did not have it. */
function learn({ index }: Picture, target: Target, identifier: StandardIdentifier): boolean {
  const { identifiers } = target.track
  if (identifiers.some((one) => areSame(one, identifier)) || !hasRoomFor(identifiers, identifier)) return false
  identifiers.push(identifier)
  index.addIdentifier(target, identifier)
  return true
}

function toDecided({ sourceId, measured, sensor }: Observation, decision: Join): Decided {
  const { target, reason, distance, identifier } = decision
  return {
    trackId: target.track.id,
    timeMs: measured.timeMs,
    deviceUrn: sensor.deviceUrn,
    ...(sourceId !== undefined && { sourceId }),
    reason,
    ...(identifier && { identifier }),
    ...toDistances(distance),
    because: reason,
  }
}

export function toDistances(distance: Distance): Pick<Decided, 'gateDistance' | 'horizontalMetres' | 'verticalMetres'> {
  const { squared, horizontalMetres, verticalMetres } = distance
  return {
    gateDistance: Math.sqrt(squared),
    horizontalMetres,
    ...(verticalMetres !== undefined && { verticalMetres }),
  }
}
