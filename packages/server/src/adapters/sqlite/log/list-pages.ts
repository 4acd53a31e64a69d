/**
 * Reads the lists of a log, and deletes old entries, in portions, so that other calls get their turn in the database thread.
 * In: the options of a list. Out: all its entries.
 */
import type { LogListOptions } from '../../../ports/storage/log.ts'
import type { SqliteEngine } from '../engine.ts'
import type { LogName } from './entry-seqs.ts'

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

/** Entries that are deleted per call. */
const forgetEntries = 50

export async function forgetBuried(engine: SqliteEngine, name: LogName, beforeMs: number): Promise<number> {
  for (let forgotten = 0; ; ) {
    const now = await engine.call('log.forgetBuried', name, beforeMs, forgetEntries)
    forgotten += now
    if (now < forgetEntries) return forgotten
  }
}
