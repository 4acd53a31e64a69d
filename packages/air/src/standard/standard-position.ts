/**
 * A position in the toolkit's units and notations: metres, degrees, metres per second, ms since the epoch.
 * Values that the sensor did not send and that cannot be derived are absent. Derived values are marked as derived.
 */
import type { AltitudeDatum, EmergencyState, TargetType } from '@posrep/spec'
import type { StandardIdentifier } from '@posrep/spec/identifiers'

export type { IdentifierKind, StandardIdentifier } from '@posrep/spec/identifiers'

export interface StandardPosition {
  /** The id that the sender gave. */
  id: string
  /** Ms since the epoch, by the sensor's clock. Digits beyond milliseconds are the fraction. */
  timeMs: number
  target: StandardTarget
  /** -90 to 90, north positive. */
  latDegrees: number
  /** From -180 to below 180, east positive. */
  lonDegrees: number
  accuracy: Measured<'metres'>
  /** Source of the position, such as `GNSS`, as the sensor wrote it. */
  source?: string
  ageMs?: number
  /** In the order of the report, each with its own datum. Altitudes are not converted. */
  altitudes: StandardAltitude[]
  onGround?: boolean
  groundVelocity?: StandardVelocity
  airVelocity?: StandardVelocity
  /** Direction of the nose, from 0 to below 360. */
  headingDegrees?: number
}

/** The origin of a value. */
export interface Provenance {
  /** `given` by the sensor, or `derived` by the pipeline from other values of the sensor. */
  provenance: 'given' | 'derived'
  /** The values from which a derived value was computed. */
  from?: string
}

type Measured<Unit extends string> = Provenance & Record<Unit, number>

export interface StandardTarget {
  type?: TargetType
  /** Confidence in the type, 1 to 100. */
  confidencePercent?: number
  /** The sensor's own name for the target. */
  sourceId?: string
  /** The transponder's code, four octal digits. */
  squawk?: string
  emergency?: EmergencyState
  /** Without duplicates. */
  identifiers: StandardIdentifier[]
}

export interface StandardAltitude extends Provenance {
  heightMetres: number
  datum: AltitudeDatum
  /** Holds with 95 % probability. */
  accuracyMetres?: number
  /** Source of the height, as the sensor wrote it. */
  source?: string
  ageMs?: number
}

/** The components that the sensor sent. Speed and direction are derived from both horizontal components. */
export interface StandardVelocity {
  eastMetresPerSecond?: number
  northMetresPerSecond?: number
  /** The vertical rate; climbing is positive. */
  upMetresPerSecond?: number
  speedMetresPerSecond?: number
  /** Clockwise from true north, from 0 to below 360; absent when the speed is 0. For the ground velocity: the track. */
  directionDegrees?: number
  horizontalAccuracyMetresPerSecond?: number
  verticalAccuracyMetresPerSecond?: number
  source?: string
  ageMs?: number
}
