/**
 * A frame as the map takes it: the figures of all changed tracks in one array, which moves between threads without a
 * copy, and the texts only of tracks whose texts changed.
 */
import type { AirAlert, AirAreaList, AirSensor, AirTrack, AltitudeDatum } from '@posrep/spec'

export const datumOrder: readonly AltitudeDatum[] = ['msl', 'wgs84', 'bar', 'agl']
export const stateOrder: readonly AirTrack['state'][] = ['tentative', 'live', 'coasting']

/** Places of the figures in a row. What is not known is NaN; `datum` is -1 without an altitude. */
export const column = {
  handle: 0,
  state: 1,
  timeMs: 2,
  receivedAtMs: 3,
  lat: 4,
  lon: 5,
  east: 6,
  north: 7,
  up: 8,
  altitude: 9,
  datum: 10,
  onGround: 11,
  accuracy: 12,
} as const

export const rowLength = 13

export interface TrackTexts {
  /** A number for the track, unique while the page is open. */
  handle: number
  id: string
  type: AirTrack['type']
  identifiers: AirTrack['identifiers']
  /** URNs of the devices that contribute. */
  devices: string[]
}

export interface PackedFrame {
  full: boolean
  timeMs: number
  rows: Float64Array
  texts: TrackTexts[]
  /** Handles. */
  ended: number[]
  alerts: AirAlert[]
  /** Conditions that are no alerts, because there are too many. */
  moreAlerts: number
  sensors: AirSensor[]
  areas?: AirAreaList
}
