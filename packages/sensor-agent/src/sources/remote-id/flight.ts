/**
 * Reads a flight of the standard's network interface (ASTM F3411-19 and -22a).
 * In: `RIDFlight`: `id`, `aircraft_type`, `current_state` and, if present, `details` or `uas_id`. Out: the drone's
 * state, or what is missing; `undefined` when it is not a flight.
 */
import { type Fields, findDegrees, findFields, findNumber, findText, isGiven, sawMembers } from '../fields.ts'
import { toTimeMs } from '../time.ts'
import { knownAltitude, knownSpeed, knownUpSpeed, type RemoteIdFault, type RemoteIdState } from './remote-id-state.ts'

const horizontal = new Map(
  Object.entries({
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
  }),
)
const vertical = new Map(Object.entries({ VA150m: 150, VA45m: 45, VA25m: 25, VA10m: 10, VA3m: 3, VA1m: 1 }))

export function readFlight(value: unknown): RemoteIdState | RemoteIdFault | undefined {
  const flight = findFields(value)
  const state = findFields(flight?.current_state)
  if (!flight || !state) return undefined
  const position = findFields(state.position)
  if (!position)
    return { reason: 'no_place', message: `the flight has no "current_state.position"; ${sawMembers(state)}` }
  const [lat, lon] = [findNumber(position.lat), findNumber(position.lng)]
  const identity = toIdentity(flight)
  if (!identity) return { reason: 'no_identifier', message: `the flight has no "id"; ${sawMembers(flight)}` }
  if (lat === undefined || lon === undefined) {
    const message = `the position of the flight has no "${lat === undefined ? 'lat' : 'lng'}" that is a number; ${sawMembers(position)}`
    return { reason: 'no_place', message }
  }

  const numbers = { alt: position.alt, speed: state.speed, track: state.track, upSpeed: state.vertical_speed }
  const height = findFields(state.height) ?? findFields(position.height)
  return {
    ...identity,
    statedAtMs: toTimeMs(state.timestamp),
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
    horizontalAccuracyMetres: horizontal.get(findText(position.accuracy_h) ?? ''),
    verticalAccuracyMetres: vertical.get(findText(position.accuracy_v) ?? ''),
    uaType: findText(flight.aircraft_type),
    unread: Object.entries(numbers)
      .filter(([, number]) => isGiven(number) && findNumber(number) === undefined)
      .map(([name]) => name),
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
