/** Writes tracks, points and decisions as the document does. In: those of the tracker. Out: JSON objects. Pure. */
import type { AirAltitude, AirAssociation, AirContribution, AirTrack, AirTrackPoint, Identifier } from '@posrep/spec'
import type { StandardAltitude, StandardIdentifier } from '../standard/standard-position.ts'
import { sigmasOfHorizontalBound } from './accuracy.ts'
import { toShownId } from './target-name.ts'
import type { Association, Contribution, Track, TrackPoint } from './track.ts'

/** As the document says. */
const maxSensors = 16

export function toAirTrack(track: Track): AirTrack {
  const { velocity, upMetresPerSecond } = track
  const up = upMetresPerSecond === undefined ? undefined : round(upMetresPerSecond, 2)
  return {
    id: track.id,
    state: track.state,
    ...(track.type !== undefined && { type: track.type }),
    identifiers: track.identifiers.map(toIdentifier),
    time: toTime(track.timeMs),
    receivedAt: toTime(track.receivedAtMs),
    position: { ...toPosition(track), accuracy: round(sigmasOfHorizontalBound * track.accuracyMetres, 1) },
    altitudes: track.altitudes.map(toAltitude),
    ...(velocity
      ? {
          groundVelocity: {
            x: round(velocity.eastMetresPerSecond, 2),
            y: round(velocity.northMetresPerSecond, 2),
            ...(up !== undefined && { z: up }),
            horizontalAccuracy: round(sigmasOfHorizontalBound * velocity.accuracyMetresPerSecond, 2),
          },
        }
      : up !== undefined && { groundVelocity: { z: up } }),
    ...(track.onGround !== undefined && { onGround: track.onGround }),
    ...(track.squawk !== undefined && { squawk: track.squawk }),
    ...(track.emergency !== undefined && { emergency: track.emergency }),
    sensors: track.contributions.slice(0, maxSensors).map(toContribution),
    positions: track.positions,
  }
}

export function toAirTrackPoint({ timeMs, deviceUrn, altitude, ...place }: TrackPoint): AirTrackPoint {
  return {
    time: toTime(timeMs),
    deviceId: deviceUrn,
    position: toPosition(place),
    ...(altitude && { altitude: { height: round(altitude.heightMetres, 1), datum: altitude.datum } }),
  }
}

export function toAirAssociation(decision: Association): AirAssociation {
  const { sourceId, identifier, gateDistance, horizontalMetres, verticalMetres, otherTrackId } = decision
  return {
    time: toTime(decision.timeMs),
    deviceId: decision.deviceUrn,
    ...(sourceId !== undefined && { sourceId }),
    reason: decision.reason,
    ...(identifier && { identifier: toIdentifier(identifier) }),
    ...(gateDistance !== undefined && { gateDistance: round(gateDistance, 2) }),
    ...(horizontalMetres !== undefined && { horizontalMetres: round(horizontalMetres, 1) }),
    ...(verticalMetres !== undefined && { verticalMetres: round(verticalMetres, 1) }),
    ...(otherTrackId !== undefined && { otherTrackId }),
    text: decision.text,
  }
}

function toContribution({ deviceUrn, sourceId, positionSource, lastSeenMs, positions }: Contribution): AirContribution {
  return {
    deviceId: deviceUrn,
    ...(sourceId !== undefined && { sourceId }),
    ...(positionSource !== undefined && { positionSource }),
    lastSeen: toTime(lastSeenMs),
    positions,
  }
}

/** As the sensor wrote it; only an address has one notation. */
export function toIdentifier(identifier: StandardIdentifier): Identifier {
  const { kind } = identifier
  const type = kind === 'other' ? identifier.type : kind
  return { id: toShownId(identifier), ...(type !== undefined && { type }) }
}

function toAltitude({ heightMetres, datum, accuracyMetres, provenance, from }: StandardAltitude): AirAltitude {
  return {
    height: round(heightMetres, 1),
    datum,
    ...(accuracyMetres !== undefined && { accuracy: round(accuracyMetres, 1) }),
    provenance,
    ...(from !== undefined && { from }),
  }
}

/** Six decimals are about a decimetre. */
function toPosition({ latDegrees, lonDegrees }: { latDegrees: number; lonDegrees: number }) {
  return { lat: round(latDegrees, 6), lon: round(lonDegrees, 6) }
}

/** Further digits would come from arithmetic, and make frames longer. */
function round(value: number, decimals: number): number {
  const factor = 10 ** decimals
  return Math.round(value * factor) / factor + 0
}

const latestMs = 8.64e15

export function toTime(timeMs: number): string {
  return new Date(Math.min(Math.max(timeMs, -latestMs), latestMs)).toISOString()
}
