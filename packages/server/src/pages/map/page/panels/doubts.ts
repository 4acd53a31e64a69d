/**
 * What is not sure of a target or wrong with a sensor, in sentences.
 * In: what the service says of it. Out: one sentence per doubt; none if there is nothing to say.
 */
import { toDirection, toDistanceText, type Units } from '@posrep/air/words'
import type { AirAlert, AirSensor, AirTrack } from '@posrep/spec'

/** An error of this size makes the altitude useless for separation: 1,000 ft. */
const vagueMetres = 305

export function toTrackDoubts(track: AirTrack, alerts: readonly AirAlert[], units: Units): string[] {
  const { state, altitudes, identifiers, groundVelocity, onGround } = track
  const doubts: string[] = []
  if (state === 'tentative') doubts.push('Few positions yet: it may be a false plot, and it raises no alerts.')
  if (state === 'coasting') doubts.push('No sensor reports it just now: its position is predicted.')
  if (identifiers.length === 0) doubts.push('No sensor identifies it.')
  for (const { state: of, identityConflict: found } of alerts) {
    if (of !== 'active' || !found?.trackIds.includes(track.id)) continue
    const distance = toDistanceText(found.distanceMetres, units)
    doubts.push(`Another target, ${distance} away, has the same identifier, ${found.identifier.id}.`)
  }
  if (!onGround) doubts.push(...toAltitudeDoubts(altitudes, units))
  if (!groundVelocity) doubts.push('Its speed and direction are not known yet.')
  return doubts
}

function toAltitudeDoubts(altitudes: AirTrack['altitudes'], units: Units): string[] {
  if (altitudes.length === 0) return ['No sensor gives its altitude: others may be level with it.']
  const best = Math.min(...altitudes.map(({ accuracy }) => accuracy ?? 0))
  return best > vagueMetres ? [`Its altitude is known to ${toDistanceText(best, units)} at best.`] : []
}

/** What the picture has found out about a sensor by the targets that others report, too, and has corrected. */
export function toSensorDoubts(sensor: AirSensor, units: Units): string[] {
  const { clockOffsetSeconds, placeOffset, azimuthOffsetDegrees, rangeOffsetMetres } = sensor
  const doubts: string[] = []
  if (clockOffsetSeconds !== undefined) {
    const side = clockOffsetSeconds < 0 ? 'behind' : 'ahead'
    doubts.push(`Its clock is ${Math.abs(clockOffsetSeconds).toFixed(1)} s ${side}. The picture has corrected it.`)
  }
  if (placeOffset) {
    const { eastMetres: east, northMetres: north } = placeOffset
    const distance = toDistanceText(Math.hypot(east, north), units)
    doubts.push(`Its positions are ${distance} too far ${toCompass(east, north)}. The picture has corrected them.`)
  }
  if (azimuthOffsetDegrees !== undefined) {
    const side = azimuthOffsetDegrees < 0 ? 'anticlockwise' : 'clockwise'
    const degrees = Math.abs(azimuthOffsetDegrees).toFixed(1)
    doubts.push(`Its bearings are ${degrees}° too far ${side}. The picture has corrected them.`)
  }
  if (rangeOffsetMetres !== undefined) {
    const distance = toDistanceText(Math.abs(rangeOffsetMetres), units)
    doubts.push(
      `Its ranges are ${distance} too ${rangeOffsetMetres < 0 ? 'short' : 'long'}. The picture has corrected them.`,
    )
  }
  return doubts
}

const points = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west']

function toCompass(east: number, north: number): string {
  return points[Math.round(toDirection(east, north) / 45) % points.length] ?? ''
}
