/**
 * The kind of a target, from what its sources say of it and how sure they are.
 * In: what a source says. Out: the kind that has the most confidence of all sources together, if that is enough to be
 * sure.
 */
import type { TargetType } from '@posrep/spec'
import type { StandardTarget } from '../standard/standard-position.ts'
import type { Source, Target } from './targets/target.ts'

/** For a source that names a kind without a confidence. */
const usualConfidencePercent = 75
/** With less, no kind is more likely than all others. */
const sureConfidencePercent = 50

export function classify(target: Target, source: Source, { type, confidencePercent }: StandardTarget): void {
  if (type === undefined) return
  const confidence = confidencePercent ?? usualConfidencePercent
  if (type === source.type && confidence === source.confidencePercent) return
  source.type = type
  source.confidencePercent = confidence
  classifyAgain(target)
}

/** After its sources changed. */
export function classifyAgain({ track }: Target): void {
  const sums = new Map<TargetType, number>()
  for (const { type, confidencePercent = 0 } of track.contributions) {
    if (type !== undefined) sums.set(type, (sums.get(type) ?? 0) + confidencePercent)
  }
  let best: TargetType | undefined
  let most = sureConfidencePercent
  for (const [type, sum] of sums) {
    // Of two kinds with the same confidence, the target keeps the one that it has.
    if (sum > most || (sum === most && (best === undefined || type === track.type))) {
      best = type
      most = sum
    }
  }
  if (best === undefined) delete track.type
  else track.type = best
}
