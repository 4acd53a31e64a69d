/**
 * A track with everything that the tracker keeps for it. `track` is what others see; it is changed in place.
 */
import type { TargetType } from '@posrep/spec'
import type { StandardAltitude } from '../../standard/standard-position.ts'
import type { Contribution, Track } from '../../track/track.ts'
import type { Decided } from '../association/decided.ts'
import type { Climb } from '../filter/climb.ts'
import type { Motion } from '../filter/estimate.ts'
import type { Vector } from '../filter/local-frame.ts'
import type { History } from './history.ts'

export interface Target {
  /** Track ids are made of it; a smaller one is older. */
  readonly number: number
  readonly track: Omit<Track, 'contributions'> & { contributions: Source[] }
  readonly motion: Motion
  climb?: Climb
  /** Where the gate looks for it: its predicted place at one of the latest ticks. */
  place: Vector
  /** As reported, at most one per datum; the track shows them carried on to the time of its estimate. */
  altitudes: StandardAltitude[]
  /** For each of `altitudes`. */
  altitudeTimesMs: number[]
  history: History
  /** Newest first. */
  associations: Decided[]
  /** The sensor whose clock and bias the estimate has. Positions of others are less certain by the difference. */
  deviceUrn: string
  /** Times of entries. */
  startedAtMs: number
  heardAtMs: number
  /** Mean interval between positions of different times. */
  intervalMs: number
  /** Positions at different times or from different sensors. */
  hits: number
}

/** What one sensor calls one target. Without a source id: all positions of the sensor that have none. */
export interface Source extends Contribution {
  /** Corrected times of its first and its latest position. */
  sinceMs: number
  timeMs: number
  /** As reported at that time. */
  latDegrees: number
  lonDegrees: number
  /** Its latest reports are outside of the gate: how many, and since when. */
  strays: number
  straysSinceMs: number
  /** Corrected time of the latest position inside the gate. */
  inGateMs: number
  /** Its latest position says that the target is on the ground. */
  saysOnGround?: boolean
  /** Its latest position has an emergency. */
  saysEmergency?: boolean
  rival?: Rival
  /** Of the target, when the errors of the sensor were compared. */
  steadyVelocity?: Velocity
  /** The kind of target that it has told of, and how sure it was, in percent. */
  type?: TargetType
  confidencePercent?: number
}

/** m/s. */
export interface Velocity {
  east: number
  north: number
}

/**
 * Another target of the same sensor beside it. Means of how far both are from where another sensor names the target,
 * along and across its velocity, in metres.
 */
export interface Rival {
  sourceId: string
  comparisons: number
  /** Of the source in the latest comparison. */
  timeMs: number
  along: number
  across: number
  rivalAlong: number
  rivalAcross: number
  /** How much better the rival fits: -2 ln of the ratio of the likelihoods. */
  advantage: number
}

export function toTrackId(number: number): string {
  return `t${number.toString(36)}`
}

/** Undefined for what is no track id. */
export function toTrackNumber(id: string): number | undefined {
  return /^t[0-9a-z]{1,10}$/.test(id) ? Number.parseInt(id.slice(1), 36) : undefined
}
