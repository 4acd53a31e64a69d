/**
 * The air picture of the user's account: one track for each target, from all sensors of the account. Not for
 * navigation. `createAir()` has the calls, `followAir()` follows the picture live.
 */

export type {
  AirAlert,
  AirAlertList,
  AirArea,
  AirAreaList,
  AirFrame,
  AirHistory,
  AirPath,
  AirSensor,
  AirSensorList,
  AirTrack,
  AirTrackCollection,
  AirTrackDetail,
  AirTrackList,
  ReadsbAircraftList,
} from '@posrep/spec'
export type { AirCalls, ListAirAircraftOptions, ListAirHistoryOptions, ListAirTracksOptions } from './air/air-calls.ts'
export type { AirOptions } from './air/create-air.ts'
export { createAir } from './air/create-air.ts'
export type { FollowAirOptions } from './air/follow-air.ts'
export { followAir } from './air/follow-air.ts'
export type { FollowedAir } from './air/followed-air.ts'
export type { Clock, Random } from './ports.ts'
