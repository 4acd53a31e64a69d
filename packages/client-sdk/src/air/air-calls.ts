/** The typed calls of the air picture: one for each of its operations except `followAir`, with its name. */
import type {
  AirAlertList,
  AirAreaList,
  AirHistory,
  AirSensorList,
  AirTrackCollection,
  AirTrackDetail,
  AirTrackList,
  Operations,
  ReadsbAircraftList,
} from '@posrep/spec'
import type { CallOptions } from '../calls/call-options.ts'

type Query<Id extends keyof Operations> = NonNullable<Operations[Id]['parameters']['query']>

export interface ListAirTracksOptions extends CallOptions, Query<'listAirTracks'> {}

export interface ListAirHistoryOptions extends CallOptions, Query<'listAirHistory'> {}

export interface ListAirAircraftOptions extends CallOptions, Query<'listAirAircraft'> {}

/**
 * As in `Calls`: resolves with the document's type, rejects with a PosrepError; `not_found` if the air picture is
 * switched off.
 */
export interface AirCalls {
  /**
   * Sorted by ID. `bbox` is west, south, east, north in degrees; `truncated` tells that there are more, `after`
   * continues.
   */
  listAirTracks(options?: ListAirTracksOptions): Promise<AirTrackList>
  /** The track, where it was, and why its positions belong together. Rejects with `not_found` when it has ended. */
  getAirTrack(trackId: string, options?: CallOptions): Promise<AirTrackDetail>
  /** Where the targets were in the last `seconds`, at most 600, also those that have ended. */
  listAirHistory(options?: ListAirHistoryOptions): Promise<AirHistory>
  /** The active alerts, newest first, then those that ended in the last hour. */
  listAirAlerts(options?: CallOptions): Promise<AirAlertList>
  /** The areas that the air picture of the account watches. */
  listAirAreas(options?: CallOptions): Promise<AirAreaList>
  /** Replaces all areas. If it rejects with `invalid_request`, `problem.errors` points at the mistakes. */
  setAirAreas(areas: AirAreaList, options?: CallOptions): Promise<AirAreaList>
  /** The sensors that report to the air picture, and which of them are silent. */
  listAirSensors(options?: CallOptions): Promise<AirSensorList>
  /** The tracks in the format of readsb. */
  listAirAircraft(options?: ListAirAircraftOptions): Promise<ReadsbAircraftList>
  /** As `listAirTracks`, as a GeoJSON FeatureCollection. */
  listAirTracksAsGeoJson(options?: ListAirTracksOptions): Promise<AirTrackCollection>
}
