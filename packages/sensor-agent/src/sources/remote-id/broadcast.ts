/**
 * Reads a decoded broadcast message (Bluetooth, Wi-Fi), as receivers print it.
 * In: flat members, or one object for each message of the standard (`Basic ID`, `Location/Vector Message`), together or
 * as a list. The names differ from receiver to receiver; each is read under all of them. Out: the drone's state, or
 * what is missing.
 */
import { type Fields, findDegrees, findFields, findNumber, findText, isGiven, sawMembers, toWord } from '../fields.ts'
import { quote } from '../reasons.ts'
import { fromSecondsAfterHour, toTimeMs } from '../time.ts'
import {
  horizontalAccuracyMetres,
  knownAltitude,
  knownSpeed,
  knownUpSpeed,
  type RemoteIdFault,
  type RemoteIdState,
  verticalAccuracyMetres,
} from './remote-id-state.ts'

/** The names of each member, the most exact first. */
const names = {
  id: ['uas_id', 'uasId', 'basic_id', 'serial_number', 'drone_id', 'uav id', 'id'],
  idType: ['id_type', 'idType', 'uas_id_type'],
  lat: ['lat', 'latitude', 'drone_lat', 'uav latitude'],
  lon: ['lon', 'lng', 'longitude', 'drone_lon', 'drone_long', 'uav longitude'],
  time: ['t', 'time', 'timestamp', 'observed_at', 'last_update_time'],
  secondsAfterHour: ['seconds_after_hour', 'secondsAfterHour'],
  geodetic: ['alt_geo_m', 'geodetic_altitude', 'altitudeGeo', 'drone_altitude', 'uav altitude', 'alt', 'altitude'],
  pressure: ['alt_baro_m', 'pressure_altitude', 'alt_pressure', 'altitudeBaro'],
  height: ['height_m', 'height', 'height_agl'],
  heightReference: ['height_ref', 'height_type', 'heightType'],
  speed: ['speed_ms', 'speed', 'ground_speed', 'uav speed'],
  track: ['track', 'direction', 'track_direction', 'heading', 'uav heading'],
  upSpeed: ['vspeed_ms', 'vert_speed', 'vspeed', 'vertical_speed', 'verticalSpeed'],
  status: ['status', 'op_status', 'operational_status'],
  horizontalAccuracy: ['hacc', 'horizontal_accuracy', 'horizontalAccuracy', 'horiz_acc'],
  verticalAccuracy: ['vacc', 'vertical_accuracy', 'verticalAccuracy', 'vert_acc'],
  uaType: ['ua_type', 'uaType'],
} as const

const basicIdKeys = ['Basic ID', 'BasicID']
const locationKeys = ['Location/Vector Message', 'Location Vector', 'Location']

/** Whether a list has the messages of one drone, each in an object of its own. */
export function isListOfMessages(list: readonly unknown[]): boolean {
  return list.some((item) => locationKeys.some((key) => findFields(findFields(item)?.[key]) !== undefined))
}

export function readBroadcast(value: unknown, receivedAtMs: number | undefined): RemoteIdState | RemoteIdFault {
  const fields = flatten(value)
  if (!fields) return { reason: 'unreadable', message: 'not a Remote ID message: it is no object' }
  const find = (name: keyof typeof names) => names[name].map((one) => fields[one]).find(isGiven)
  // DragonSync writes it in front.
  const id = findText(find('id'))?.replace(/^drone-/, '') ?? findText(String(findNumber(find('id')) ?? ''))
  if (id === undefined) return missing('no_identifier', 'uas_id', find('id'), fields)
  const [lat, lon] = [findMeasure(find('lat')), findMeasure(find('lon'))]
  if (lat === undefined) return missing('no_place', names.lat[1], find('lat'), fields)
  if (lon === undefined) return missing('no_place', names.lon[2], find('lon'), fields)
  const statedAtMs = findTime(find, fields, receivedAtMs)
  const unread = (['geodetic', 'pressure', 'height', 'speed', 'track', 'upSpeed'] as const).filter(
    (name) => isGiven(find(name)) && findMeasure(find(name)) === undefined,
  )
  return {
    id,
    idType: toIdType(find('idType')),
    statedAtMs,
    lat,
    lon,
    onGround: toOnGround(find('status')),
    geodeticMetres: knownAltitude(findMeasure(find('geodetic'))),
    pressureMetres: knownAltitude(findMeasure(find('pressure'))),
    heightMetres: knownAltitude(findMeasure(find('height'))),
    heightReference: /ground|agl|^1$/i.test(toWord(find('heightReference'))) ? 'ground' : 'takeoff',
    speed: knownSpeed(findMeasure(find('speed'))),
    trackDegrees: findDegrees(findMeasure(find('track'))),
    upSpeed: knownUpSpeed(findMeasure(find('upSpeed'))),
    horizontalAccuracyMetres: toAccuracy(find('horizontalAccuracy'), horizontalAccuracyMetres),
    verticalAccuracyMetres: toAccuracy(find('verticalAccuracy'), verticalAccuracyMetres),
    uaType: findNumber(find('uaType')) ?? findText(find('uaType')),
    unread,
  }
}

/**
 * The members of all messages of a drone in one object. Those of other messages, such as the place of the pilot, are
 * left out.
 */
function flatten(value: unknown): Fields | undefined {
  const fields = Array.isArray(value)
    ? Object.assign({}, ...value.map((item) => findFields(item) ?? {}))
    : findFields(value)
  const nested = (keys: readonly string[]) => keys.map((key) => findFields(fields?.[key])).find((found) => found)
  const [basicId, location] = [nested(basicIdKeys), nested(locationKeys)]
  if (!basicId && !location) return fields
  return { ...fields, ...basicId, ...location, ...findFields(location?.coord), id: basicId?.id ?? fields?.id }
}

/** The first time that says since when it counts; a number of seconds after the hour only under a name that says so. */
function findTime(
  find: (name: keyof typeof names) => unknown,
  fields: Fields,
  receivedAtMs: number | undefined,
): number | undefined {
  const stated = names.time.map((name) => toTimeMs(fields[name])).find((ms) => ms !== undefined)
  if (stated !== undefined || receivedAtMs === undefined) return stated
  return fromSecondsAfterHour(find('secondsAfterHour'), receivedAtMs)
}

/** A number, or one with the unit that is expected: `118.5 m`. */
function findMeasure(value: unknown): number | undefined {
  if (typeof value !== 'string') return findNumber(value)
  const text = value.trim()
  const unit = ['m/s', 'deg', 'm', '°'].find((one) => text.endsWith(one)) ?? ''
  return findNumber(text.slice(0, text.length - unit.length).trimEnd())
}

function toIdType(value: unknown): RemoteIdState['idType'] {
  const text = toWord(value)
  if (text === '1' || text.includes('serial')) return 'SerialNumber'
  if (text === '2' || text.includes('caa') || text.includes('registration')) return 'Registration'
  if (text === '3' || text.includes('utm')) return 'UTM'
  return text === '4' || text.includes('session') ? 'SessionId' : 'RemoteId'
}

/** 0 undeclared, 1 ground, 2 airborne, 3 emergency, 4 failure of the Remote ID system. */
function toOnGround(status: unknown): boolean | undefined {
  const text = toWord(status)
  if (text === 'ground' || text === '1') return true
  return text === 'airborne' || text === '2' ? false : undefined
}

/** The standard's number, or its words, such as `<10 m`. */
function toAccuracy(value: unknown, table: readonly (number | undefined)[]): number | undefined {
  const bound = typeof value === 'string' ? /^<\s*(\d+(?:\.\d+)?)\s*m$/.exec(value.trim())?.[1] : undefined
  return bound === undefined ? table[findNumber(value) ?? 0] : Number(bound)
}

function missing(reason: 'no_identifier' | 'no_place', name: string, seen: unknown, fields: Fields): RemoteIdFault {
  const what =
    seen === undefined ? `no "${name}"; ${sawMembers(fields)}` : `"${name}" is ${quote(JSON.stringify(seen) ?? '')}`
  return { reason, message: `not a Remote ID message with a position: ${what}` }
}
