/**
 * One aircraft of aircraft.json as a position.
 * In: its members, where and when. Out: SI units, and datums. What the receiver does not know, or writes unreadably, is
 * left out.
 */
import type { GeographicPosition, GeographicVector, Height, PositionData, Target } from '@posrep/spec'
import { type Fields, findDegrees, findFlag, findNumber, findText, isNumber, withValues } from '../fields.ts'
import { atGround, feetPerMinuteToUp, feetToMetres, knotsToEastNorth } from '../units.ts'
import { positionAccuracyMetres, velocityAccuracyMetresPerSecond, verticalAccuracyMetres } from './accuracy.ts'
import { toCallSign, toIdentifiers } from './address.ts'

export function toPosition(
  address: string,
  atMs: number,
  aircraft: Fields,
  { lat, lon }: { lat: number; lon: number },
): PositionData {
  const altitude = aircraft.alt_baro ?? aircraft.altitude
  const onGround = toOnGround(aircraft, altitude)
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

/** What the aircraft says of itself counts more than that it has a pressure altitude, as it has on the ground, too. */
function toOnGround({ on_ground, onGround, ground, gnd, airground }: Fields, altitude: unknown): boolean | undefined {
  // 1 ground, 2 airborne.
  const bySurface = findNumber(airground) === 1 ? true : undefined
  const stated = [on_ground, onGround, ground, gnd].map(findFlag).find((flag) => flag !== undefined) ?? bySurface
  if (altitude === 'ground' || stated) return true
  return stated === false || findNumber(altitude) !== undefined ? false : undefined
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
  // dump1090 before version 3 writes zeros for what it does not know.
  if (findFlag(aircraft.validtrack) === false) return onGround ? { z: 0 } : undefined
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
  const category = findText(aircraft.category)
  const ids = toIdentifiers(address, toCallSign(aircraft.flight))
  const registration = findText(aircraft.r)
  if (registration) ids.push({ id: registration, type: 'Registration' })
  const additionalInfo = withValues({
    category,
    squawk: findText(aircraft.squawk),
    emergency: findText(aircraft.emergency) === 'none' ? undefined : findText(aircraft.emergency),
    // The time of a recorded line has the same name.
    model: findNumber(aircraft.t) === undefined ? findText(aircraft.t) : undefined,
  })
  return {
    sourceId: address,
    ...toType(aircraft, category),
    ids,
    ...(additionalInfo && { additionalInfo }),
  }
}

/**
 * B6 is an unmanned aircraft. C0 to C7 are vehicles and obstacles, for which the document has no type; most vehicles at
 * airports send no category, but are non-transponder emitters on the ground.
 */
function toType({ type, alt_baro }: Fields, category: string | undefined): Pick<Target, 'type'> {
  if (category === 'B6') return { type: 'aa:target:drone' }
  const isVehicle =
    category?.startsWith('C') || (type === 'adsb_icao_nt' && alt_baro === 'ground' && category === undefined)
  return isVehicle ? {} : { type: 'aa:target:aircraft' }
}

/** The estimated accuracy, or else the radius that contains the aircraft with near certainty. */
function toAccuracy(aircraft: Fields): Pick<GeographicPosition, 'accuracy'> {
  const containmentMetres = Math.max(0, findNumber(aircraft.rc) ?? 0) || undefined
  const accuracy = positionAccuracyMetres(aircraft.nac_p) ?? containmentMetres
  return accuracy === undefined ? {} : { accuracy }
}

/** How the position was obtained: `mlat`, `tisb`, or the type of the aircraft's messages, such as `adsb_icao`. */
function toSource({ mlat, tisb, type }: Fields): Pick<GeographicPosition, 'source'> {
  if (Array.isArray(mlat) && mlat.includes('lat')) return { source: 'mlat' }
  if (Array.isArray(tisb) && tisb.includes('lat')) return { source: 'tisb' }
  return findText(type) === undefined ? {} : { source: findText(type) }
}
