/**
 * Reads a decoded broadcast message (Bluetooth, Wi-Fi) with flat members.
 * In: `t` or `timestamp` (s or ms since the Unix epoch, or RFC 3339), `lat`, `lon`, `alt_geo_m`, `alt_baro_m`, `height_m`,
 * `height_ref`, `speed_ms`, `vspeed_ms`, `track`, `status`, `hacc` and `vacc` (the standard's numbers), `uas_id`, `id_type`, `ua_type`.
 * Out: the drone's state, or `undefined` when there is no identifier, time or position.
 */
import { findDegrees, findFields, findNumber, findText } from '../fields.ts'
import { toTimeMs } from '../time.ts'
import {
  horizontalAccuracyMetres,
  knownAltitude,
  knownSpeed,
  knownUpSpeed,
  type RemoteIdState,
  verticalAccuracyMetres,
} from './remote-id-state.ts'

const idTypes: Record<string, RemoteIdState['idType']> = {
  serial: 'SerialNumber',
  serial_number: 'SerialNumber',
  '1': 'SerialNumber',
  caa: 'Registration',
  registration: 'Registration',
  '2': 'Registration',
  utm: 'UTM',
  '3': 'UTM',
  session: 'SessionId',
  '4': 'SessionId',
}

export function readBroadcast(value: unknown): RemoteIdState | undefined {
  const fields = findFields(value)
  if (!fields) return undefined
  const id = findText(fields.uas_id)
  const atMs = toTimeMs(fields.t ?? fields.timestamp)
  const [lat, lon] = [findNumber(fields.lat), findNumber(fields.lon)]
  if (id === undefined || atMs === undefined || lat === undefined || lon === undefined) return undefined
  return {
    id,
    idType: idTypes[String(fields.id_type ?? '').toLowerCase()] ?? 'RemoteId',
    atMs,
    lat,
    lon,
    onGround: toOnGround(fields.status),
    geodeticMetres: knownAltitude(findNumber(fields.alt_geo_m)),
    pressureMetres: knownAltitude(findNumber(fields.alt_baro_m)),
    heightMetres: knownAltitude(findNumber(fields.height_m)),
    heightReference: fields.height_ref === 'ground' || fields.height_ref === 1 ? 'ground' : 'takeoff',
    speed: knownSpeed(findNumber(fields.speed_ms)),
    trackDegrees: findDegrees(fields.track),
    upSpeed: knownUpSpeed(findNumber(fields.vspeed_ms)),
    horizontalAccuracyMetres: horizontalAccuracyMetres[findNumber(fields.hacc) ?? 0],
    verticalAccuracyMetres: verticalAccuracyMetres[findNumber(fields.vacc) ?? 0],
    uaType: findNumber(fields.ua_type) ?? findText(fields.ua_type),
  }
}

/** 0 undeclared, 1 ground, 2 airborne, 3 emergency, 4 failure of the Remote ID system. */
function toOnGround(status: unknown): boolean | undefined {
  const text = String(status).toLowerCase()
  if (text === 'ground' || text === '1') return true
  return text === 'airborne' || text === '2' ? false : undefined
}
