/**
 * The tracks in the format of readsb, for programs such as tar1090.
 * In: tracks, and the time at which it is asked for. Out: `aircraft.json` in its units: feet, knots, feet per minute,
 * seconds. Members that are not known are missing. See README-json.md of readsb.
 */
import type { AirTrack, ReadsbAircraft, ReadsbAircraftList } from '@posrep/spec'
import { toAddresses } from './addresses.ts'
import { findGeometricHeight } from './geometric-height.ts'
import { findCallSign, findRegistration } from './identifiers.ts'
import { toMessageType } from './message-type.ts'
import { findMotion } from './motion.ts'

const metresPerFoot = 0.3048
const metresPerSecondPerKnot = 1_852 / 3_600
/** The signal strength that readsb writes when it has none. */
const noSignal = -49.5
const droneCategory = 'B6'
/** "When the regular lat and lon are older than 60 seconds they are no longer considered valid." */
const maxPositionSeconds = 60

export interface ReadsbOptions {
  /** The time at which it is asked for, in ms since the epoch. */
  timeMs: number
  /** The tracks that must not have the same address as one of these. Default: these. */
  all?: readonly AirTrack[]
}

/**
 * @example
 * ```ts
 * import type { Tracker } from '@posrep/air'
 * import { toReadsb } from '@posrep/air/formats'
 *
 * export const toJson = (tracker: Tracker) => JSON.stringify(toReadsb(tracker.tracks(), { timeMs: Date.now() }))
 * ```
 */
export function toReadsb(tracks: readonly AirTrack[], { timeMs, all = tracks }: ReadsbOptions): ReadsbAircraftList {
  const addresses = addressesOf(all)
  const aircraft = tracks.flatMap((track) => {
    const address = addresses.get(track)
    return address === undefined ? [] : toAircraft(track, address, timeMs)
  })
  return {
    now: timeMs / 1_000,
    messages: tracks.reduce((sum, { positions }) => sum + positions, 0),
    notice: 'Not for navigation',
    aircraft: aircraft.filter(({ seen_pos }) => seen_pos <= maxPositionSeconds),
  }
}

function toAircraft(track: AirTrack, hex: string, timeMs: number): ReadsbAircraft {
  const { position, onGround, type, positions } = track
  const callSign = findCallSign(track)
  const registration = findRegistration(track)
  const barometric = findHeight(track, 'bar')
  const geometric = findGeometricHeight(track)
  const motion = findMotion(track)
  const upMetresPerSecond = track.groundVelocity?.z
  return {
    hex,
    type: toMessageType(track, !hex.startsWith('~')),
    ...(callSign !== undefined && { flight: callSign.slice(0, 8).padEnd(8) }),
    ...(registration !== undefined && { r: registration }),
    ...(onGround ? { alt_baro: 'ground' } : barometric !== undefined && { alt_baro: toFeet(barometric) }),
    ...(geometric !== undefined && { alt_geom: toFeet(geometric) }),
    ...(track.squawk !== undefined && { squawk: track.squawk }),
    ...(track.emergency !== undefined && { emergency: track.emergency }),
    ...(motion && { gs: round(motion.speedMetresPerSecond / metresPerSecondPerKnot, 1) }),
    ...(motion?.courseDegrees !== undefined && { track: round(motion.courseDegrees, 2) % 360 }),
    ...(upMetresPerSecond !== undefined && {
      [barometric === undefined ? 'geom_rate' : 'baro_rate']: toFeet(upMetresPerSecond * 60),
    }),
    ...(type === 'aa:target:drone' && { category: droneCategory }),
    lat: round(position.lat, 6),
    lon: round(position.lon, 6),
    seen_pos: toAge(track.time, timeMs),
    seen: toAge(track.receivedAt, timeMs),
    messages: positions,
    rssi: noSignal,
  }
}

const addressesOfLists = new WeakMap<readonly AirTrack[], Map<AirTrack, string>>()

/** They are found once for a list, because it is read in portions, by several readers. */
function addressesOf(tracks: readonly AirTrack[]): Map<AirTrack, string> {
  const known = addressesOfLists.get(tracks) ?? toAddresses(tracks)
  addressesOfLists.set(tracks, known)
  return known
}

function findHeight({ altitudes }: AirTrack, datum: string): number | undefined {
  return altitudes.find((altitude) => altitude.datum === datum)?.height
}

function toFeet(metres: number): number {
  // No "-0": JSON has it, readers do not expect it.
  return Math.round(metres / metresPerFoot) || 0
}

/** A sensor whose clock is ahead has seen nothing in the future. */
function toAge(time: string, nowMs: number): number {
  return Math.max(0, round((nowMs - Date.parse(time)) / 1_000, 1))
}

function round(value: number, decimals: number): number {
  return Number(value.toFixed(decimals))
}
