/**
 * Figures of a tracker as the process takes them. In: a tracker, or its counts. Out: texts; what was left out since.
 */
import type { HistoryQuery, Tracker } from '@posrep/air'
import type { AirLeftOut } from '../../ports/meter.ts'
import type { HistoryTexts } from '../picture.ts'

/** The texts are made in the thread, so that the process need not. */
export function toHistoryTexts(picture: Tracker, query: HistoryQuery): HistoryTexts {
  const { paths, truncated } = picture.history(query)
  return { timeMs: picture.timeMs(), paths: paths.map((path) => JSON.stringify(path)), truncated }
}

export function subtractCounts(
  now: Record<AirLeftOut, number>,
  before: Record<AirLeftOut, number>,
): Record<AirLeftOut, number> {
  return {
    late: now.late - before.late,
    ambiguous: now.ambiguous - before.ambiguous,
    refused: now.refused - before.refused,
    evicted: now.evicted - before.evicted,
    delayed: now.delayed - before.delayed,
  }
}
