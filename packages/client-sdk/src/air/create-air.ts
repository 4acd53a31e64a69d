/**
 * Calls the operations of the air picture for a user.
 * In: a client or a Posrep. Out: the calls, with its session and origins.
 */
import { createCall } from '../calls/call.ts'
import type { Client } from '../calls/client.ts'
import { type Clock, systemClock } from '../ports.ts'
import type { AirCalls } from './air-calls.ts'

export interface AirOptions {
  /** Default of every call's `timeoutMs`, in ms: 1 to 2,147,483,647. Default 30,000. */
  timeoutMs?: number
  /** Default: the system clock. */
  clock?: Clock
}

export function createAir(
  { raw }: Pick<Client, 'raw'>,
  { timeoutMs = 30_000, clock = systemClock }: AirOptions = {},
): AirCalls {
  const call = createCall({ raw, clock, timeoutMs })

  return {
    listAirTracks: ({ signal, timeoutMs, ...query } = {}) =>
      call('listAirTracks', 'GET', '/v1/air/tracks', { query }, { signal, timeoutMs }),
    getAirTrack: (trackId, options) =>
      call('getAirTrack', 'GET', '/v1/air/tracks/{trackId}', { path: { trackId } }, options),
    listAirHistory: ({ signal, timeoutMs, ...query } = {}) =>
      call('listAirHistory', 'GET', '/v1/air/history', { query }, { signal, timeoutMs }),
    listAirAlerts: (options) => call('listAirAlerts', 'GET', '/v1/air/alerts', {}, options),
    listAirAreas: (options) => call('listAirAreas', 'GET', '/v1/air/areas', {}, options),
    setAirAreas: (areas, options) => call('setAirAreas', 'PUT', '/v1/air/areas', { body: areas }, options),
    listAirSensors: (options) => call('listAirSensors', 'GET', '/v1/air/sensors', {}, options),
    listAirAircraft: ({ signal, timeoutMs, ...query } = {}) =>
      call('listAirAircraft', 'GET', '/v1/air/aircraft.json', { query }, { signal, timeoutMs }),
    listAirTracksAsGeoJson: ({ signal, timeoutMs, ...query } = {}) =>
      call('listAirTracksAsGeoJson', 'GET', '/v1/air/tracks.geojson', { query }, { signal, timeoutMs }),
  }
}
