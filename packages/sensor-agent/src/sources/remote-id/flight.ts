/**
 * Reads a flight of the standard's network interface (ASTM F3411-19 and -22a).
 * In: `RIDFlight`: `id`, `aircraft_type`, `current_state` and, if present, `details` or `uas_id`. Out: the drone's state, or `undefined`
 * when it is not a flight.
 */
import { type Fields, findDegrees, findFields, findNumber, findText } from '../fields.ts'
import { toTimeMs } from '../time.ts'
import { knownAltitude, knownSpeed, knownUpSpeed, type RemoteIdState } from './remote-id-state.ts'

const horizontal: Record<string, number> = {
  HA10NM: 18_520,
  HA4NM: 7_408,
  HA2NM: 3_704,
  HA1NM: 1_852,
  HA05NM: 926,
  HA03NM: 555.6,
  HA01NM: 185.2,
  HA005NM: 92.6,
  HA30m: 30,
  HA10m: 10,
  HA3m: 3,
  HA1m: 1,
}
const vertical: Record<string, number> = { VA150m: 150, VA45m: 45, VA25m: 25, VA10m: 10, VA3m: 3, VA1m: 1 }

export function readFlight(value: unknown): RemoteIdState | undefined {
  const flight = findFields(value)
  const state = findFields(flight?.current_state)
  const position = findFields(state?.position)
  if (!flight || !state || !position) return undefined
  const atMs = toTimeMs(state.timestamp)
  const [lat, lon] = [findNumber(position.lat), findNumber(position.lng)]
  const identity = toIdentity(flight)
  if (!identity || atMs === undefined || lat === undefined || lon === undefined) return undefined

  const height = findFields(state.height) ?? findFields(position.height)
  return {
    ...identity,
    atMs,
    lat,
    lon,
    onGround: toOnGround(state.operational_status),
    geodeticMetres: knownAltitude(findNumber(position.alt)),
    pressureMetres: knownAltitude(findNumber(position.pressure_altitude)),
    heightMetres: knownAltitude(findNumber(height?.distance)),
    heightReference: height?.reference === 'GroundLevel' ? 'ground' : 'takeoff',
    speed: knownSpeed(findNumber(state.speed)),
    trackDegrees: findDegrees(state.track),
    upSpeed: knownUpSpeed(findNumber(state.vertical_speed)),
    horizontalAccuracyMetres: horizontal[String(position.accuracy_h)],
    verticalAccuracyMetres: vertical[String(position.accuracy_v)],
    uaType: findText(flight.aircraft_type),
  }
}

/** The serial number, registration or session if the flight has one, else the identifier of the flight. */
function toIdentity(flight: Fields): Pick<RemoteIdState, 'id' | 'idType'> | undefined {
  const details = findFields(flight.details)
  const uas = findFields(flight.uas_id) ?? findFields(details?.uas_id) ?? details
  const candidates = [
    ['SerialNumber', uas?.serial_number],
    ['Registration', uas?.registration_id ?? uas?.registration_number],
    ['UTM', uas?.utm_id],
    ['SessionId', uas?.specific_session_id],
    ['RemoteId', flight.id],
  ] as const
  for (const [idType, value] of candidates) {
    const id = findText(value)
    if (id !== undefined) return { id, idType }
  }
  return undefined
}

function toOnGround(status: unknown): boolean | undefined {
  if (status === 'Ground') return true
  return status === 'Airborne' ? false : undefined
}
