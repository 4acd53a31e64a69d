/**
 * The state of a tracker, and the beginning and end of its tracks.
 * Tracks are bounded: when there are too many, the oldest tentative one leaves, else the oldest coasting one, else none
 * begins.
 */
import type { Decided } from './association/decided.ts'
import { fit } from './budget.ts'
import type { ErrorCovariance } from './filter/error-covariance.ts'
import { boundParameters } from './parameters.ts'
import { keepPast, type PastTrack } from './targets/past.ts'
import type { Target } from './targets/target.ts'
import type { TargetIndex } from './targets/target-index.ts'

export interface Picture {
  readonly index: TargetIndex
  readonly maxTracks: number
  /** Of the next track. */
  nextNumber: number
  /** Time of the latest entry or tick. */
  nowMs: number
  /** In the order in which they became so. */
  readonly tentative: Set<Target>
  readonly coasting: Set<Target>
  /** In the order in which they ended. */
  readonly past: PastTrack[]
  /** Number of the track with which the next tick begins to look for pairs; 0 for the first. */
  compareFrom: number
  /** Of sensors that were compared, as of the latest tick. */
  ownErrors: Readonly<ErrorCovariance>
  /** Receipt of the entry before which the common errors of the sensors were last removed. */
  commonErrorsAtMs: number
  /** By the numbers of two tracks. */
  readonly evidence: Map<string, PartnerEvidence>
  readonly counts: CorrelatorCounts
  readonly changes: Changes
}

/** What comparisons of two tracks have shown. `a` is the older track. */
export interface PartnerEvidence {
  a: number
  b: number
  hits: number
  misses: number
  /** Sum of the squared distances, each at most twice the bound of the gate. */
  squared: number
  sinceMs: number
  /** Time of the newer estimate of the latest comparison. */
  timeMs: number
  /** Time of the tick. */
  comparedAtMs: number
}

/** What the tracker did not keep. */
export interface CorrelatorCounts {
  /** Positions that came too late. */
  late: number
  /** Positions without an id that fit several tracks equally well. */
  ambiguous: number
  /** Positions of new targets when all tracks were live. */
  refused: number
  /** Tracks that left early, because there were too many. */
  evicted: number
  /** Looks of a track for others that may be the same target, which a crowd delayed to the next second. */
  delayed: number
}

export interface Changes {
  changed: Set<Target>
  ended: { id: string; mergedInto?: string }[]
  associations: Decided[]
}

/** False if there is no room. */
export function beginTarget(picture: Picture, target: Target): boolean {
  const { index, maxTracks, tentative, coasting, counts } = picture
  if (index.targets.size >= maxTracks) {
    const [leaving = undefined] = tentative.size > 0 ? tentative : coasting
    if (!leaving) {
      counts.refused++
      return false
    }
    counts.evicted++
    endTarget(picture, leaving)
  }
  index.add(target)
  tentative.add(target)
  picture.changes.changed.add(target)
  return true
}

export function endTarget(picture: Picture, target: Target, mergedInto?: Target): void {
  const { index, tentative, coasting, changes } = picture
  index.remove(target)
  tentative.delete(target)
  coasting.delete(target)
  changes.changed.delete(target)
  if (!mergedInto) keepPast(picture.past, target, picture.nowMs)
  changes.ended.push({ id: target.track.id, ...(mergedInto && { mergedInto: mergedInto.track.id }) })
}

/** Keeps the decision with the track, and for `takeChanges`. */
export function addAssociation(picture: Picture, target: Target, association: Decided): void {
  target.associations.unshift(association)
  target.associations.splice(boundParameters.associations)
  fit(picture.index, target)
  const { associations } = picture.changes
  associations.push(association)
  if (associations.length > 2 * boundParameters.pendingAssociations) {
    associations.splice(0, associations.length - boundParameters.pendingAssociations)
  }
}
