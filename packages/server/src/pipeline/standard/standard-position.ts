/**
 * A position in the units and notations of the house: metres, degrees, metres per second, ms since the epoch.
 * What the sensor did not say and what cannot be derived is absent; what was derived says so.
 */
import type { AltitudeDatum, TargetType } from '@posrep/spec'

export interface StandardPosition {
  /** As the sender chose it. */
  id: string
  /** Since the epoch, by the sensor's clock; what was given beyond milliseconds is the fraction. */
  timeMs: number
  target: StandardTarget
  /** -90 to 90, north positive. */
  latDegrees: number
  /** From -180 to below 180, east positive. */
  lonDegrees: number
  accuracy: Measured<'metres'>
  /** Source of the position, such as `GNSS`, in the sensor's words. */
  source?: string
  ageMs?: number
  /** In the order of the report, each over its own datum: none is converted here. */
  altitudes: StandardAltitude[]
  onGround?: boolean
  groundVelocity?: StandardVelocity
  airVelocity?: StandardVelocity
  /** Where the nose points, from 0 to below 360. */
  headingDegrees?: number
}

/** How a figure came about. */
export interface Provenance {
  /** `given` by the sensor, or `derived` by the pipeline from what it gave. */
  provenance: 'given' | 'derived'
  /** What a derived figure was derived from. */
  from?: string
}

type Measured<Unit extends string> = Provenance & Record<Unit, number>

export interface StandardTarget {
  type?: TargetType
  /** Confidence in the type, 1 to 100. */
  confidencePercent?: number
  /** The sensor's own name for the target. */
  sourceId?: string
  /** No two are the same. */
  identifiers: StandardIdentifier[]
}

/** What is known to be written in one way only; all else is `other`, also an ICAO address that is none. */
export type IdentifierKind = 'ICAO' | 'CallSign' | 'Registration' | 'SerialNumber' | 'IMEI' | 'other'

export interface StandardIdentifier {
  kind: IdentifierKind
  /** ICAO: six hexadecimal digits in capitals. Call sign, registration: in capitals. IMEI: digits. None has spaces around. */
  id: string
  /** As the sensor called it. */
  type?: string
}

export interface StandardAltitude extends Provenance {
  heightMetres: number
  datum: AltitudeDatum
  accuracyMetres?: number
  /** Source of the height, in the sensor's words. */
  source?: string
  ageMs?: number
}

/** Components as far as they were given; speed and direction are derived from both horizontal ones. */
export interface StandardVelocity {
  eastMetresPerSecond?: number
  northMetresPerSecond?: number
  /** The vertical rate; climbing is positive. */
  upMetresPerSecond?: number
  speedMetresPerSecond?: number
  /** Clockwise from true north, from 0 to below 360; absent when nothing moves. For the ground velocity: the track. */
  directionDegrees?: number
  horizontalAccuracyMetresPerSecond?: number
  verticalAccuracyMetresPerSecond?: number
  source?: string
  ageMs?: number
}
