/**
 * A target as all sensors of an account see it together. The tracker makes tracks; alerts and outputs read them.
 * Units as in `standard/standard-position.ts`: metres, degrees, metres per second, ms since the epoch.
 */
import type { AirAssociation, AltitudeDatum, EmergencyState, TargetType } from '@posrep/spec'
import type { StandardAltitude, StandardIdentifier, StandardPosition } from '../standard/standard-position.ts'

/** A position as one sensor reported it: what the tracker takes. */
export interface Reception {
  deviceUrn: string
  receivedAtMs: number
  position: StandardPosition
  /** Where the sensor says that it is. */
  sensorPosition?: Pick<StandardPosition, 'latDegrees' | 'lonDegrees'>
}

export interface Track {
  /** `t` and a number in base 36, which increases; unique in the account. */
  readonly id: string
  state: 'tentative' | 'live' | 'coasting'
  type?: TargetType
  identifiers: StandardIdentifier[]
  /** Time of the estimate, by the clock of its sensor, corrected by what is known of that clock. */
  timeMs: number
  /** When the service received the latest position. */
  receivedAtMs: number
  latDegrees: number
  lonDegrees: number
  /** Standard deviation of the horizontal position, per axis. */
  accuracyMetres: number
  /** Absent until it is known. */
  velocity?: {
    eastMetresPerSecond: number
    northMetresPerSecond: number
    /** Standard deviation per axis. */
    accuracyMetresPerSecond: number
  }
  /** The vertical rate; climbing is positive. */
  upMetresPerSecond?: number
  /** At most one per datum: the latest, carried on to `timeMs` with the vertical rate. */
  altitudes: StandardAltitude[]
  onGround?: boolean
  squawk?: string
  emergency?: EmergencyState
  /** Latest first. */
  contributions: Contribution[]
  positions: number
  /**
   * IDs of tracks that are possibly the same target, while that is not decided: they are not compared for conflicts.
   */
  doubles?: string[]
}

export interface Contribution {
  deviceUrn: string
  sourceId?: string
  /** Of its latest position, as the sensor wrote it in `position.source`. */
  positionSource?: string | undefined
  lastSeenMs: number
  positions: number
}

/** A decision of the tracker, for the track that it belongs to. `AirAssociation.time` is made of `timeMs`. */
export interface Association extends Omit<AirAssociation, 'time' | 'deviceId' | 'identifier'> {
  trackId: string
  timeMs: number
  deviceUrn: string
  identifier?: StandardIdentifier
}

/** A point of a track's history: a reported position. */
export interface TrackPoint {
  /** As `Track.timeMs`. */
  timeMs: number
  deviceUrn: string
  latDegrees: number
  lonDegrees: number
  /** The altitude that the map shows: above mean sea level if that is known. */
  altitude?: { heightMetres: number; datum: AltitudeDatum }
}
