/** Figures of a target as people read them. Used by the browser and by the server, so that both show the same. */
import type { AirAlert, AirAltitude, AirTrack, AltitudeDatum } from '@posrep/spec'

/** `metric`: metres and metres per second, as everywhere in the service; `aviation`: feet and knots. */
export type Units = 'metric' | 'aviation'

export const feet = 3.280_839_895
const knots = 1.943_844_492

/** What the map shows first: above mean sea level if that is known. */
const order: readonly AltitudeDatum[] = ['msl', 'wgs84', 'bar', 'agl']

export const datums: Record<AltitudeDatum, { short: string; long: string }> = {
  msl: { short: 'MSL', long: 'above mean sea level' },
  wgs84: { short: 'WGS 84', long: 'above the WGS 84 ellipsoid' },
  bar: { short: 'pressure', long: 'pressure altitude (standard atmosphere)' },
  agl: { short: 'AGL', long: 'above ground' },
}

export const stateWords: Record<AirTrack['state'], string> = {
  tentative: 'Tentative',
  live: 'Live',
  coasting: 'Coasting',
}

export type Kind = 'aircraft' | 'drone' | 'unknown'

export const kindWords: Record<Kind, string> = { aircraft: 'Aircraft', drone: 'Drone', unknown: 'Unknown' }

export function toKind(type: AirTrack['type']): Kind {
  if (type === 'aa:target:aircraft') return 'aircraft'
  return type === 'aa:target:drone' ? 'drone' : 'unknown'
}

export function pickAltitude(altitudes: readonly AirAltitude[]): AirAltitude | undefined {
  for (const datum of order) {
    const found = altitudes.find((altitude) => altitude.datum === datum)
    if (found) return found
  }
  return undefined
}

const names = ['callsign', 'registration', 'icao', 'serialnumber']

/** The first that it has of these, as alerts name it, then the ID of the track. */
export function toName({ id, identifiers }: Pick<AirTrack, 'id' | 'identifiers'>): string {
  const byKind = (kind: string) => identifiers.find(({ type }) => type?.toLowerCase() === kind)?.id.trim()
  return (names.map(byKind).find((name) => name) ?? id).slice(0, 40)
}

/** The highest transition altitude of any country: above it, pressure altitudes are flight levels everywhere. */
const transitionFeet = 18_000

/** @param datum If it is a pressure altitude, a flight level above the transition altitude. */
export function toAltitudeText(metres: number | undefined, units: Units, datum?: AltitudeDatum): string {
  if (metres === undefined || Number.isNaN(metres)) return '–'
  if (units === 'metric') return `${grouped(metres)} m`
  const height = metres * feet
  return datum === 'bar' && height >= transitionFeet
    ? `FL${Math.round(height / 100)}`
    : `${grouped(roundFeet(height))} ft`
}

/** To 10 ft. */
function roundFeet(height: number): number {
  return Math.round(height / 10) * 10
}

/**
 * A sentence of an alert, or an advice, in the user's units: the service writes metres and metres per second. Names of
 * targets, which are before the figures, stay as they are.
 */
export function inUnits(sentence: string, units: Units): string {
  if (units === 'metric') return sentence
  return sentence
    .replace(/^(.* within )(\d+) m(?: and (\d+) m of altitude)?/, (_all, before, horizontal, vertical?: string) => {
      const altitude = vertical === undefined ? '' : ` and ${toAltitudeText(Number(vertical), units)} of altitude`
      return `${before}${toDistanceText(Number(horizontal), units)}${altitude}`
    })
    .replace(/(?<=: (?:climb|descend) |converted, to about )(\d+) m$/, (_all, metres) =>
      toAltitudeText(Number(metres), units),
    )
    .replace(/(?<= and are )(\d+) (k?m) apart$/, (_all, distance, unit) => {
      return `${toDistanceText(Number(distance) * (unit === 'km' ? 1_000 : 1), units)} apart`
    })
    .replace(
      /^(.*: (?:speed up|slow down) by )(\d+) m\/s/,
      (_all, before, speed) => `${before}${toSpeedText(Number(speed), units)}`,
    )
}

export function toSpeedText(metresPerSecond: number | undefined, units: Units): string {
  if (metresPerSecond === undefined || Number.isNaN(metresPerSecond)) return '–'
  return units === 'metric' ? `${Math.round(metresPerSecond)} m/s` : `${Math.round(metresPerSecond * knots)} kt`
}

/** With its sign; feet a minute in aviation units. */
export function toClimbText(metresPerSecond: number | undefined, units: Units): string {
  if (metresPerSecond === undefined || Number.isNaN(metresPerSecond)) return '–'
  const value = units === 'metric' ? Math.round(metresPerSecond * 10) / 10 : Math.round(metresPerSecond * feet * 60)
  const sign = value > 0 ? '+' : value < 0 ? '−' : ''
  return `${sign}${Math.abs(value).toLocaleString('en')} ${units === 'metric' ? 'm/s' : 'ft/min'}`
}

/** Clockwise from true north, three digits. */
export function toTrackText(east: number | undefined, north: number | undefined): string {
  if (east === undefined || north === undefined || Number.isNaN(east) || Math.hypot(east, north) < 0.5) return '–'
  return `${String(Math.round(toDirection(east, north)) % 360).padStart(3, '0')}°`
}

export function toDirection(east: number, north: number): number {
  return ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360
}

export function toDistanceText(metres: number, units: Units): string {
  if (units === 'aviation') {
    const miles = metres / 1_852
    return miles < 0.5
      ? `${grouped(roundFeet(metres * feet))} ft`
      : `${miles < 10 ? trimmed(miles) : grouped(miles)} NM`
  }
  if (metres < 1_000) return `${grouped(metres)} m`
  return `${metres < 10_000 ? trimmed(metres / 1_000) : grouped(metres / 1_000)} km`
}

export function toPositionText(lat: number, lon: number): string {
  return `${lat.toFixed(5)}, ${lon.toFixed(5)}`
}

export function toCountText(targets: number): string {
  return `${targets.toLocaleString('en')} ${targets === 1 ? 'target' : 'targets'}`
}

export function toPositionsText(positions: number): string {
  return `${positions.toLocaleString('en')} ${positions === 1 ? 'position' : 'positions'}`
}

/** In the user's time zone. */
export function toClock(atMs: number): string {
  return new Date(atMs).toLocaleTimeString(undefined, { hourCycle: 'h23' })
}

/** @param atMs Of the last frame; NaN before the first. */
export function toLostText(atMs: number): string {
  const shown = Number.isNaN(atMs) ? '' : ` This is the picture of ${toClock(atMs)}.`
  return `The connection to the server is lost.${shown} The map continues when it is back.`
}

/** How long ago something was. */
export function toAgeText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  return seconds < 60 ? `${seconds} s ago` : `${Math.floor(seconds / 60)} min ago`
}

export const alertWords: Record<AirAlert['kind'], string> = {
  conflict: 'Conflict',
  area: 'Area',
  silentSensor: 'Sensor',
  identityConflict: 'Identity',
  sensorClock: 'Clock',
  emergency: 'Emergency',
}

/** The sensor's local ID, which people recognise. It may contain colons. */
export function toShortDevice(deviceUrn: string): string {
  return deviceUrn.split(':').slice(4).join(':')
}

function grouped(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function trimmed(value: number): string {
  return String(Math.round(value * 10) / 10)
}
