/**
 * Begins a track with a position.
 * In: an observation, and why it belongs to no track that exists. Out: the track, unless there is no room.
 */
import { hasRoomFor, historyLimit } from '../budget.ts'
import { classify } from '../classify.ts'
import { startClimb } from '../filter/climb.ts'
import { startMotion } from '../filter/motion.ts'
import { filterParameters } from '../parameters.ts'
import { addAssociation, beginTarget, type Picture } from '../picture.ts'
import { showEmergency, showEstimate } from '../show.ts'
import { addPoint, createHistory } from '../targets/history.ts'
import { type Target, toTrackId } from '../targets/target.ts'
import type { Start } from './associate.ts'
import type { Decided } from './decided.ts'
import { createSource, toDistances } from './join.ts'
import type { Observation } from './observation.ts'

export function start(picture: Picture, observation: Observation, decision: Start): Target | undefined {
  if (decision.other && decision.reason === 'split') leave(picture, decision.other, observation)
  const target = createTarget(picture, observation)
  if (!beginTarget(picture, target)) return undefined
  picture.nextNumber++
  addAssociation(picture, target, toDecided(target, observation, decision))
  return target
}

/** The source is no longer of the track that it was of. */
function leave({ index }: Picture, { track }: Target, { sensor, sourceId }: Observation): void {
  const at = track.contributions.findIndex((one) => one.deviceUrn === sensor.deviceUrn && one.sourceId === sourceId)
  // A track has at least one source.
  if (at < 0 || track.contributions.length === 1) return
  track.contributions.splice(at, 1)
  if (sourceId !== undefined) index.sensor(sensor.deviceUrn).sources.delete(sourceId)
}

function createTarget(picture: Picture, observation: Observation): Target {
  const { sensor, measured, reception } = observation
  const { position, receivedAtMs } = reception
  const { deviceUrn } = sensor
  const { latDegrees, lonDegrees, altitudes, onGround, target: reported } = position
  const { unknownVelocityMetresPerSecond, unknownVelocityOnGroundMetresPerSecond } = filterParameters
  const climb = startClimb(observation)
  const target: Target = {
    number: picture.nextNumber,
    track: {
      id: toTrackId(picture.nextNumber),
      state: 'tentative',
      identifiers: [],
      timeMs: measured.timeMs,
      receivedAtMs,
      latDegrees,
      lonDegrees,
      accuracyMetres: 0,
      altitudes: [],
      ...(onGround !== undefined && { onGround }),
      contributions: [
        {
          ...createSource(observation),
          positions: 1,
          inGateMs: measured.timeMs,
          ...(onGround !== undefined && { saysOnGround: onGround }),
        },
      ],
      positions: 1,
    },
    motion: startMotion(measured, onGround ? unknownVelocityOnGroundMetresPerSecond : unknownVelocityMetresPerSecond),
    ...(climb && { climb }),
    place: measured.place,
    altitudes: [],
    altitudeTimesMs: [],
    history: createHistory(),
    associations: [],
    deviceUrn,
    startedAtMs: receivedAtMs,
    heardAtMs: receivedAtMs,
    intervalMs: 0,
    hits: 1,
  }
  for (const identifier of reported.identifiers) {
    if (hasRoomFor(target.track.identifiers, identifier)) target.track.identifiers.push(identifier)
  }
  for (const [index, altitude] of altitudes.entries()) {
    if (target.altitudes.some(({ datum }) => datum === altitude.datum)) continue
    target.altitudes.push(altitude)
    target.altitudeTimesMs.push(observation.altitudeTimesMs[index] ?? measured.timeMs)
  }
  addPoint(target.history, measured.timeMs, deviceUrn, latDegrees, lonDegrees, altitudes, historyLimit(picture.index))
  const [source] = target.track.contributions
  if (source) {
    classify(target, source, reported)
    showEmergency(target, source, reported)
  }
  showEstimate(picture, target)
  return target
}

function toDecided({ track }: Target, { sensor, sourceId, measured }: Observation, decision: Start): Decided {
  const { reason, other, distance, identifier, because } = decision
  return {
    trackId: track.id,
    timeMs: measured.timeMs,
    deviceUrn: sensor.deviceUrn,
    ...(sourceId !== undefined && { sourceId }),
    reason,
    ...(identifier && { identifier }),
    ...(distance && toDistances(distance)),
    ...(other && { otherTrackId: other.track.id }),
    because,
  }
}
