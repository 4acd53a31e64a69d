/**
 * Keeps the waiting entries of a log in memory, for the process that owns the log.
 * In: the entries in the file at the start, those that this process appends, and those of other processes. Out: the
 * queues, and how many entries are buried, with their bytes. Entries that arrive while the file is read are queued
 * after those of the file.
 */
import type { Clock } from '../../../ports/clock.ts'
import type { LogName } from '../../../ports/storage/log.ts'
import { type BuriedCounts, createBuriedCounts } from '../../queues/buried-counts.ts'
import type { QueuedEntry } from '../../queues/queue-entries.ts'
import { createQueues, type Queues } from '../../queues/queues.ts'
import type { SqliteEngine } from '../engine.ts'
import type { WaitingColumns } from './entry-seqs.ts'

export interface WaitingEntries {
  queues: Queues
  /** Counted when the file is read, and after each change by another process; this process adds its own changes. */
  buried: BuriedCounts
  append(queue: string, entry: QueuedEntry): void
  appendAll(entries: WaitingColumns): void
}

export interface WaitingEntriesOptions {
  engine: SqliteEngine
  name: LogName
  clock: Clock
  /** Called after another process has written: there may be something to lease, or a backup was `restored`. */
  onChange(change: { restored: boolean }): void
}

const pageEntries = 20_000
const retryAfterMs = 1_000

export async function loadWaiting({ engine, name, clock, onChange }: WaitingEntriesOptions): Promise<WaitingEntries> {
  const queues = createQueues()
  const buried = createBuriedCounts()
  /** Entries that arrive while the file is read; undefined at other times. */
  let later: WaitingColumns | undefined

  function append(queue: string, entry: QueuedEntry): void {
    if (later) {
      later.queues.push(queue)
      later.seqs.push(entry.seq)
      later.times.push(entry.appendedAtMs)
      later.sizes.push(entry.bytes)
    } else queues.append(queue, entry, clock.now())
  }

  function appendAll(columns: WaitingColumns): void {
    for (const [queue, entry] of rowsOf(columns)) append(queue, entry)
  }

  async function load(): Promise<void> {
    later ??= noEntries()
    queues.clear()
    for (let afterSeq = 0; ; ) {
      const page = await engine.call('log.load', name, afterSeq, pageEntries)
      for (const [queue, entry] of rowsOf(page)) queues.append(queue, entry, clock.now())
      if (page.seqs.length < pageEntries) break
      afterSeq = page.seqs.at(-1) ?? 0
    }
    const arrived = later
    later = undefined
    appendAll(arrived)
  }

  async function countBuried(): Promise<void> {
    buried.set(await engine.call('log.countBuried', name))
  }

  /**
   * Repeats the step until it succeeds: another process may lock the database. Stops when the database thread has
   * ended.
   */
  async function untilDone(step: () => Promise<void>): Promise<void> {
    while (engine.isOpen()) {
      try {
        return await step()
      } catch {
        await clock.sleep(retryAfterMs)
      }
    }
  }

  let loading = load()
  engine.onForeignChange(({ restored, appended: { [name]: appended } }) => {
    if (restored) {
      later = noEntries()
      loading = loading.then(() => untilDone(load))
    } else appendAll(appended)
    void loading.then(() => untilDone(countBuried)).then(() => onChange({ restored }))
  })
  await loading
  await countBuried()

  return {
    queues,
    buried,
    append,
    appendAll,
  }
}

function noEntries(): WaitingColumns {
  return { seqs: [], queues: [], times: [], sizes: [] }
}

function* rowsOf({ seqs, queues, times, sizes }: WaitingColumns): Iterable<[queue: string, entry: QueuedEntry]> {
  for (const [index, seq] of seqs.entries()) {
    yield [queues[index] ?? '', { seq, appendedAtMs: times[index] ?? 0, bytes: sizes[index] ?? 0 }]
  }
}
