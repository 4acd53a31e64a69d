/**
 * Maps `aircraft.json` of readsb and dump1090, and the answers of the aggregators that use the same fields.
 * In: snapshots, usually one per second. Out: the positions that are new in each snapshot. A snapshot repeats the last position of
 * each aircraft, so a position is recognised by its time (`now` less `seen_pos`) and its coordinates.
 * Fields: https://github.com/wiedehopf/readsb/blob/dev/README-json.md; dump1090 before version 3 calls three of them `altitude`,
 * `speed` and `vert_rate`.
 */
import type { GeographicPosition, GeographicVector, Height, PositionData, Target } from '@posrep/spec'
import { checkNumber } from '../../check-option.ts'
import {
  type Fields,
  findDegrees,
  findFields,
  findNumber,
  findText,
  isNumber,
  toEpochMs,
  withValues,
} from '../fields.ts'
import { atGround, feetPerMinuteToUp, feetToMetres, isOnEarth, knotsToEastNorth } from '../units.ts'
import { positionAccuracyMetres, velocityAccuracyMetresPerSecond, verticalAccuracyMetres } from './accuracy.ts'
import { toAddress, toCallSign, toIdentifiers } from './address.ts'

export interface AircraftJsonMapperOptions {
  /** A position whose `seen_pos` is larger is skipped, in seconds. Default 60, as in readsb: older ones are no longer valid. */
  maxAgeSeconds?: number
}

export interface AircraftJsonMapper {
  /** The new positions, in the order of the snapshot. `receivedAtMs` is the time of a snapshot without `now`. Never throws. */
  map(snapshot: unknown, receivedAtMs: number): PositionData[]
  counters(): AircraftJsonCounters
}

export interface AircraftJsonCounters {
  snapshots: number
  positions: number
  /** Aircraft that have no position, or only one that is too old or impossible. */
  withoutPosition: number
  /** Values that are no snapshot, or no aircraft. */
  unparsable: number
}

// Some receivers round `now` and `seen_pos` to a tenth of a second each, so the time of one position varies by that much.
const sameTimeMs = 200
// The servers of an aggregator take turns, and `now` of one may be some seconds behind that of another.
const clockStepMs = 5_000
// readsb forgets an aircraft after five minutes at the latest.
const forgetAfterMs = 600_000

export function createAircraftJsonMapper({ maxAgeSeconds = 60 }: AircraftJsonMapperOptions = {}): AircraftJsonMapper {
  checkNumber('maxAgeSeconds', maxAgeSeconds, 0)
  const lastPositions = new Map<string, Where & { nowMs: number }>()
  const counters: AircraftJsonCounters = { snapshots: 0, positions: 0, withoutPosition: 0, unparsable: 0 }
  let forgottenAtMs = 0

  return { map, counters: () => ({ ...counters }) }

  function map(snapshot: unknown, receivedAtMs: number): PositionData[] {
    const found = toSnapshot(snapshot, receivedAtMs)
    if (!found) {
      counters.unparsable += 1
      return []
    }
    counters.snapshots += 1
    forget(found.nowMs)
    return found.aircraft.flatMap((item) => {
      const position = mapAircraft(item, found.nowMs)
      return position ? [position] : []
    })
  }

  function mapAircraft(item: unknown, nowMs: number): PositionData | undefined {
    const aircraft = findFields(item)
    const address = toAddress(aircraft?.hex)
    if (!aircraft || address === undefined) {
      counters.unparsable += 1
      return undefined
    }
    const where = findPosition(aircraft, nowMs, maxAgeSeconds)
    if (!where) {
      counters.withoutPosition += 1
      return undefined
    }
    const atMs = newTimeMs(address, where, nowMs)
    if (atMs === undefined) return undefined
    counters.positions += 1
    return toPosition(address, atMs, aircraft, where)
  }

  /** The position's time, or `undefined` when it is the last one again or older. */
  function newTimeMs(address: string, { atMs, lat, lon }: Where, nowMs: number): number | undefined {
    const last = lastPositions.get(address)
    // After the receiver's clock was set back, its times say nothing about the order.
    const isComparable = last !== undefined && nowMs >= last.nowMs - clockStepMs
    if (isComparable) {
      const isSamePlace = last.lat === lat && last.lon === lon
      if (isSamePlace ? atMs <= last.atMs + sameTimeMs : atMs <= last.atMs - sameTimeMs) return undefined
    }
    // A rounded time may not be later than that of the position before.
    const time = isComparable ? Math.max(atMs, last.atMs + 1) : atMs
    lastPositions.set(address, { atMs: time, lat, lon, nowMs })
    return time
  }

  function forget(nowMs: number): void {
    if (Math.abs(nowMs - forgottenAtMs) < forgetAfterMs) return
    forgottenAtMs = nowMs
    for (const [address, { atMs }] of lastPositions) {
      if (Math.abs(nowMs - atMs) > forgetAfterMs) lastPositions.delete(address)
    }
  }
}

interface Where {
  lat: number
  lon: number
  atMs: number
}

/** A file has `aircraft`, an aggregator may call it `ac`; very old dump1090 writes only the list. `now` is in s, or in ms. */
function toSnapshot(value: unknown, receivedAtMs: number): { aircraft: unknown[]; nowMs: number } | undefined {
  const fields = findFields(value)
  const aircraft = Array.isArray(value) ? value : (fields?.aircraft ?? fields?.ac)
  if (!Array.isArray(aircraft)) return undefined
  return { aircraft, nowMs: toEpochMs(fields?.now) ?? receivedAtMs }
}

function findPosition(aircraft: Fields, nowMs: number, maxAgeSeconds: number): Where | undefined {
  const [lat, lon] = [findNumber(aircraft.lat), findNumber(aircraft.lon)]
  if (lat === undefined || lon === undefined || !isOnEarth(lat, lon) || aircraft.validposition === 0) return undefined
  const ageSeconds = findNumber(aircraft.seen_pos) ?? findNumber(aircraft.seen) ?? 0
  if (ageSeconds < 0 || ageSeconds > maxAgeSeconds) return undefined
  return { lat, lon, atMs: Math.round(nowMs - ageSeconds * 1_000) }
}

function toPosition(address: string, atMs: number, aircraft: Fields, { lat, lon }: Where): PositionData {
  const altitude = aircraft.alt_baro ?? aircraft.altitude
  const onGround = altitude === 'ground' ? true : typeof altitude === 'number' ? false : undefined
  const altitudes = onGround ? [atGround] : toAltitudes(findNumber(altitude), aircraft)
  const groundVelocity = toGroundVelocity(aircraft, onGround === true)
  const heading = findDegrees(aircraft.true_heading)
  const trueAirspeed = onGround ? undefined : knotsToEastNorth(findNumber(aircraft.tas), heading)
  return {
    id: `${address.toLowerCase()}-${atMs}`,
    sourceTimeStamp: new Date(atMs).toISOString(),
    target: toTarget(address, aircraft),
    position: { lat, lon, ...toAccuracy(aircraft), ...toSource(aircraft) },
    ...(altitudes.length > 0 && { altitudes }),
    ...(groundVelocity && { groundVelocity }),
    ...(trueAirspeed && { trueAirspeed }),
    ...(onGround !== undefined && { onGround }),
    ...(heading !== undefined && { heading }),
  }
}

/** `alt_baro` is a pressure altitude (1013.25 hPa), `alt_geom` a height above the WGS84 ellipsoid. */
function toAltitudes(barometricFeet: number | undefined, aircraft: Fields): Height[] {
  const geometricFeet = findNumber(aircraft.alt_geom)
  const accuracy = verticalAccuracyMetres(aircraft.gva)
  const altitudes: Height[] = []
  if (barometricFeet !== undefined) altitudes.push({ height: feetToMetres(barometricFeet), datum: 'bar' })
  if (geometricFeet !== undefined)
    altitudes.push({ height: feetToMetres(geometricFeet), datum: 'wgs84', ...(accuracy && { accuracy }) })
  return altitudes
}

function toGroundVelocity(aircraft: Fields, onGround: boolean): GeographicVector | undefined {
  const knots = findNumber(aircraft.gs) ?? findNumber(aircraft.speed)
  const ground = knotsToEastNorth(knots, findDegrees(aircraft.track))
  const feetPerMinute = [aircraft.baro_rate, aircraft.geom_rate, aircraft.vert_rate].map(findNumber).find(isNumber)
  // A rate from the flight does not apply to an aircraft that is on the ground now: it does not climb.
  const rate = onGround ? 0 : feetPerMinute
  const up = rate === undefined ? undefined : feetPerMinuteToUp(rate)
  if (!ground && up === undefined) return undefined
  const horizontalAccuracy = ground && velocityAccuracyMetresPerSecond(aircraft.nac_v)
  return { ...ground, ...(up !== undefined && { z: up }), ...(horizontalAccuracy && { horizontalAccuracy }) }
}

function toTarget(address: string, aircraft: Fields): Target {
  const category = typeof aircraft.category === 'string' ? aircraft.category : undefined
  const ids = toIdentifiers(address, toCallSign(aircraft.flight))
  const registration = findText(aircraft.r)
  if (registration) ids.push({ id: registration, type: 'Registration' })
  const additionalInfo = withValues({
    category,
    squawk: findText(aircraft.squawk),
    emergency: aircraft.emergency === 'none' ? undefined : findText(aircraft.emergency),
    model: findText(aircraft.t),
  })
  return {
    sourceId: address,
    ...toType(aircraft, category),
    ids,
    ...(additionalInfo && { additionalInfo }),
  }
}

/**
 * B6 is an unmanned aircraft. C0 to C7 are vehicles and obstacles, for which the document has no type; most vehicles at airports send no
 * category, but are non-transponder emitters on the ground.
 */
function toType({ type, alt_baro }: Fields, category: string | undefined): Pick<Target, 'type'> {
  if (category === 'B6') return { type: 'aa:target:drone' }
  const isVehicle =
    category?.startsWith('C') || (type === 'adsb_icao_nt' && alt_baro === 'ground' && category === undefined)
  return isVehicle ? {} : { type: 'aa:target:aircraft' }
}

/** The estimated accuracy, or else the radius that contains the aircraft with near certainty. */
function toAccuracy(aircraft: Fields): Pick<GeographicPosition, 'accuracy'> {
  const containmentMetres = findNumber(aircraft.rc) || undefined
  const accuracy = positionAccuracyMetres(aircraft.nac_p) ?? containmentMetres
  return accuracy === undefined ? {} : { accuracy }
}

/** How the position was obtained: `mlat`, `tisb`, or the type of the aircraft's messages, such as `adsb_icao`. */
function toSource({ mlat, tisb, type }: Fields): Pick<GeographicPosition, 'source'> {
  if (Array.isArray(mlat) && mlat.includes('lat')) return { source: 'mlat' }
  if (Array.isArray(tisb) && tisb.includes('lat')) return { source: 'tisb' }
  return typeof type === 'string' ? { source: type } : {}
}
