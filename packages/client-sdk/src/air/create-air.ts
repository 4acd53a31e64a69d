/**
 * Calls the operations of the air picture for a user.
 * In: a client or a Posrep. Out: the calls, with its session and origins.
 */
import { createCall } from '../calls/call.ts'
import type { Client } from '../calls/client.ts'
import { checkNoOthers } from '../origins.ts'
import { type Clock, systemClock } from '../ports.ts'
import type { AirCalls } from './air-calls.ts'

export interface AirOptions {
  /** Default of every call's `timeoutMs`, in ms: 1 to 2,147,483,647. Default 30,000. */
  timeoutMs?: number
  /** Default: the system clock. */
  clock?: Clock
}

/**
 * The calls of the air picture, with the session and the origins of a client or a Posrep. @throws TypeError for unknown
 * options
 */
export function createAir(
  { raw }: Pick<Client, 'raw'>,
  { timeoutMs = 30_000, clock = systemClock, ...others }: AirOptions = {},
): AirCalls {
  checkNoOthers(others, 'createAir')
  const call = createCall({ raw, clock, timeoutMs })

  return {
    listAirTracks: ({ bbox, limit, after, ...options } = {}) =>
      call('listAirTracks', 'GET', '/v1/air/tracks', { query: { bbox, limit, after } }, options),
    getAirTrack: (trackId, options) =>
      call('getAirTrack', 'GET', '/v1/air/tracks/{trackId}', { path: { trackId } }, options),
    listAirHistory: ({ bbox, seconds, limit, ...options } = {}) =>
      call('listAirHistory', 'GET', '/v1/air/history', { query: { bbox, seconds, limit } }, options),
    listAirAlerts: (options) => call('listAirAlerts', 'GET', '/v1/air/alerts', {}, options),
    listAirAreas: (options) => call('listAirAreas', 'GET', '/v1/air/areas', {}, options),
    setAirAreas: (areas, options) => call('setAirAreas', 'PUT', '/v1/air/areas', { body: areas }, options),
    listAirSensors: (options) => call('listAirSensors', 'GET', '/v1/air/sensors', {}, options),
    listAirAircraft: ({ bbox, ...options } = {}) =>
      call('listAirAircraft', 'GET', '/v1/air/aircraft.json', { query: { bbox } }, options),
    listAirTracksAsGeoJson: ({ bbox, limit, after, ...options } = {}) =>
      call('listAirTracksAsGeoJson', 'GET', '/v1/air/tracks.geojson', { query: { bbox, limit, after } }, options),
  }
}
