/**
 * Reads the lists of a log, and unburies and deletes entries, in portions, so that other calls get their turn in the
 * database thread. In: the options of a list. Out: all its entries.
 */
import { buriedPortion, type LogListOptions, type LogName } from '../../../ports/storage/log.ts'
import type { BuriedCount } from '../../queues/buried-counts.ts'
import type { SqliteEngine } from '../engine.ts'
import type { WaitingColumns } from './entry-seqs.ts'

/** SQLite's `substr` takes no larger number. */
const wholeBody = 2 ** 31 - 1

/** @param readPage Returns the first entries after `afterSeq`; none when there are no more. */
export async function listPages<E extends { seq: number }>(
  { afterSeq = 0, limit, characters = wholeBody }: LogListOptions,
  readPage: (afterSeq: number, limit: number, characters: number) => Promise<E[]>,
): Promise<E[]> {
  const entries: E[] = []
  for (let after = afterSeq; entries.length < limit; ) {
    const page = await readPage(after, limit - entries.length, characters)
    const last = page.at(-1)
    if (!last) break
    entries.push(...page)
    after = last.seq
  }
  return entries
}

export function listBuried(
  engine: SqliteEngine,
  name: LogName,
  { queue, ...options }: LogListOptions & { queue?: string },
) {
  return listPages(options, (after, limit, characters) =>
    engine.call('log.listBuried', name, queue, after, limit, characters),
  )
}

/** @param onPortion Called with the entries of each portion. Returns the number of entries that were found. */
export async function unbury(
  engine: SqliteEngine,
  name: LogName,
  { seqs, nowMs, onPortion }: { seqs: number[]; nowMs: number; onPortion?(appended: WaitingColumns): void },
): Promise<number> {
  const inOrder = [...new Set(seqs)].sort((a, b) => a - b)
  let found = 0
  for (let next = 0; next < inOrder.length; ) {
    const portion = inOrder.slice(next, next + buriedPortion.entries)
    const { appended, done } = await engine.call('log.unbury', name, portion, nowMs)
    next += done
    found += appended.seqs.length
    onPortion?.(appended)
  }
  return found
}

/** @param onPortion Called with the entries of each portion. Returns the number of deleted entries. */
export async function forgetBuried(
  engine: SqliteEngine,
  name: LogName,
  { beforeMs, ofQueue, onPortion }: { beforeMs: number; ofQueue?: string; onPortion?(forgotten: BuriedCount[]): void },
): Promise<number> {
  for (let forgotten = 0; ; ) {
    const portion = await engine.call('log.forgetBuried', name, beforeMs, ofQueue)
    if (portion.length === 0) return forgotten
    forgotten += portion.length
    onPortion?.(portion)
  }
}
