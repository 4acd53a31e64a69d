/** Do identifiers, or a sensor that reports both, say that two tracks are two targets? */
import type { StandardIdentifier } from '../../standard/standard-position.ts'
import { areContradictory, isStrong } from '../targets/identifiers.ts'
import type { Source, Target } from '../targets/target.ts'

export function areDistinct(a: Target, b: Target): boolean {
  return areContradictory(a.track.identifiers, b.track.identifiers) || areToldApart(a, b)
}

/** One sensor has an id for each, at the same time. */
export function areToldApart(a: Target, b: Target): boolean {
  for (const source of a.track.contributions) {
    for (const other of b.track.contributions) if (areConcurrent(source, other)) return true
  }
  return false
}

/**
 * Radar and TIS-B name targets that a transponder names as well: `~` addresses, which are identifiers of the kind
 * `other`.
 */
export function isAnonymous({ track }: Target): boolean {
  return isAnonymousTarget(track.identifiers)
}

export function isAnonymousTarget(identifiers: readonly StandardIdentifier[]): boolean {
  return identifiers.some(({ kind }) => kind === 'other') && !identifiers.some(isStrong)
}

function areConcurrent(a: Source, b: Source): boolean {
  return (
    a.deviceUrn === b.deviceUrn &&
    a.sourceId !== undefined &&
    b.sourceId !== undefined &&
    a.sourceId !== b.sourceId &&
    a.sinceMs <= b.timeMs &&
    b.sinceMs <= a.timeMs
  )
}
