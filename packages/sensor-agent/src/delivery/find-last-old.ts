/**
 * Finds where the old positions of a spool end.
 * In: a spool whose positions were appended in the order of their times. Out: the sequence of the last old one, or the
 * one before the first. A search by halves: a large spool has its positions in files.
 */
import type { Spool, SpoolEntry } from '../spool/spool.ts'

export async function findLastOld(
  spool: Spool,
  throughSequence: number,
  isOld: (entry: SpoolEntry) => boolean,
): Promise<number> {
  let through = throughSequence
  let [oldest] = await spool.peek(1, 1)
  if (!oldest) return through
  let before = oldest.sequence - 1
  // The usual case first: all are old.
  for (let middle = through - 1; before < through; middle = Math.floor((before + through) / 2)) {
    ;[oldest] = await spool.peek(1, 1, Math.max(before, middle))
    if (!oldest || oldest.sequence > through || !isOld(oldest)) through = Math.max(before, middle)
    else before = oldest.sequence
  }
  return before
}
