/** What a tracker is created with, and what it does. */
import type {
  AirAlert,
  AirAreaList,
  AirFrame,
  AirPath,
  AirSensor,
  AirTrack,
  AirTrackDetail,
  PositionReport,
} from '@posrep/spec'
import type { AlertsSnapshot } from '../alerts/alerts.ts'
import type { SeparationSetting } from '../alerts/separation.ts'
import type { CorrelatorCounts } from '../correlation/picture.ts'
import type { CorrelatorSnapshot } from '../correlation/snapshot.ts'
import type { Terrain } from '../standard/altitudes.ts'
import type { HistoryQuery } from './paths.ts'
import type { SensorSnapshot } from './sensor-figures.ts'

export interface TrackerOptions {
  /** Areas that raise an alert when a target enters them. They must be valid by the document. Default: none. */
  areas?: AirAreaList | undefined
  /** Limits of conflicts. Default: `automatic`. */
  separation?: SeparationSetting
  /** The height of the ground. Without it, heights above ground are neither converted nor derived. */
  terrain?: Terrain | undefined
  /** Limit of tracks, from 1. Default: 10,000. */
  maxTracks?: number
  /** Of `snapshot()`: the tracker continues from there. Its areas count if `areas` is not given. */
  snapshot?: TrackerSnapshot | undefined
  /** A step of a second failed, and is left out. Default: the error is thrown. */
  onFailed?(error: unknown): void
}

export interface AddOptions {
  /** The sensor, by which all figures of it are kept. Default: `sensor.id` of the report, else `sensor`. */
  deviceId?: string
  /**
   * A number that increases with each report of a sensor. A report whose number is not above the last one is ignored.
   */
  seq?: number | undefined
  /** When the tracker's time advances to, in ms since the epoch, if that is not `receivedAtMs`. */
  atMs?: number
}

/** All times are in ms since the epoch. */
export interface Tracker {
  /** The time of the picture: that of the latest report or whole second. 0 before the first. */
  timeMs(): number
  /** Takes a report that is valid by the document. Returns how many positions it took: 0 for one that is repeated. */
  add(report: PositionReport, receivedAtMs: number, options?: AddOptions): number
  /** As `add`, one position per step, so that the caller can do other work in between. */
  addInSteps(report: PositionReport, receivedAtMs: number, options?: AddOptions): Iterator<unknown>
  /** Runs the seconds up to this time: tracks coast and end, alerts are raised and end. Call it about once a second. */
  advance(nowMs: number): void
  setAreas(areas: AirAreaList): void
  /** Tracks that this sensor alone reported end. The next frame is the whole picture. */
  forgetSensor(deviceId: string): void
  /** What changed since the last call; undefined if nothing did. */
  takeChanges(): AirFrame | undefined
  /** Leaves out what changed since the last call. */
  dropChanges(): void
  /** The whole picture, as the first frame of a stream. */
  whole(): AirFrame
  /** In the order in which they began. */
  tracks(): AirTrack[]
  /** The active ones, newest first, then those that ended in the last hour. */
  alerts(): AirAlert[]
  sensors(): AirSensor[]
  /** A track with where it was, and why its positions belong together; undefined if there is none. */
  find(trackId: string): AirTrackDetail | undefined
  /** Where the targets were, also those that ended in the last ten minutes. */
  history(query: HistoryQuery): { paths: AirPath[]; truncated: boolean }
  counts(): TrackerCounts
  /**
   * True when it has no tracks and has received nothing for eleven minutes. It does not change until the next report.
   */
  isResting(): boolean
  /** JSON. It has the objects of the tracker: write it as text before the next call. */
  snapshot(): TrackerSnapshot
}

/** What the tracker has now, and what it has left out since the beginning. */
export interface TrackerCounts extends CorrelatorCounts {
  /** Tracks. */
  targets: number
  /** Tracks in so large a crowd that the latest second did not compare them with all others. */
  crowded: number
  /** Conditions that are no alerts now, because there are too many. */
  moreAlerts: number
}

/** JSON. Its content is private to the tracker. */
export interface TrackerSnapshot {
  version: 3
  timeMs: number
  lastReceivedAtMs: number
  tracker: CorrelatorSnapshot
  alerts: AlertsSnapshot
  areas: AirAreaList
  sensors: SensorSnapshot[]
}
