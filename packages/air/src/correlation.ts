/** The correlation alone, for programs that standardise positions and watch for alerts themselves. */

export type {
  Correlator,
  CorrelatorChanges,
  CorrelatorOptions,
  TrackHistory,
} from './correlation/correlator.ts'
export { createCorrelator } from './correlation/correlator.ts'
export type { CorrelatorCounts } from './correlation/picture.ts'
export type { CorrelatorSnapshot } from './correlation/snapshot.ts'
export type { History } from './correlation/targets/history.ts'
export { toAirAssociation, toAirTrack, toAirTrackPoint } from './track/to-air-track.ts'
export type { Association, Contribution, Reception, Track, TrackPoint } from './track/track.ts'
