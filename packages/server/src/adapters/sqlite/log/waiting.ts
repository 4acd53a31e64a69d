/**
 * Keeps the waiting entries of a log in memory, for the process that owns the log.
 * In: the entries in the file at the start, those that this process appends, and those of other processes. Out: the queues,
 * and how many entries are buried. Entries that arrive while the file is read are queued after those of the file.
 */
import type { Clock } from '../../../ports/clock.ts'
import { createQueues, type Queues } from '../../queues/queues.ts'
import type { SqliteEngine } from '../engine.ts'
import type { LogName, WaitingColumns } from './entry-seqs.ts'

export interface WaitingEntries {
  queues: Queues
  append(queue: string, seq: number, appendedAtMs: number): void
  appendAll(entries: WaitingColumns): void
  buried(queue?: string): number
  countBuried(): Promise<void>
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
  let buriedOf = new Map<string, number>()
  let buried = 0
  /** Entries that arrive while the file is read; undefined at other times. */
  let later: WaitingColumns | undefined

  function append(queue: string, seq: number, appendedAtMs: number): void {
    if (later) {
      later.queues.push(queue)
      later.seqs.push(seq)
      later.times.push(appendedAtMs)
    } else queues.append(queue, seq, appendedAtMs, clock.now())
  }

  function appendAll({ queues, seqs, times }: WaitingColumns): void {
    for (const [index, seq] of seqs.entries()) append(queues[index] ?? '', seq, times[index] ?? 0)
  }

  async function load(): Promise<void> {
    later ??= { queues: [], seqs: [], times: [] }
    queues.clear()
    for (let afterSeq = 0; ; ) {
      const page = await engine.call('log.load', name, afterSeq, pageEntries)
      for (const [index, seq] of page.seqs.entries()) {
        queues.append(page.queues[index] ?? '', seq, page.times[index] ?? 0, clock.now())
      }
      if (page.seqs.length < pageEntries) break
      afterSeq = page.seqs.at(-1) ?? 0
    }
    const arrived = later
    later = undefined
    appendAll(arrived)
  }

  async function countBuried(): Promise<void> {
    const counts = await engine.call('log.countBuried', name)
    buriedOf = new Map(counts.map(({ queue, buried }) => [queue, buried]))
    buried = counts.reduce((sum, count) => sum + count.buried, 0)
  }

  /** Repeats the step until it succeeds: another process may lock the database. Stops when the database thread has ended. */
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
  engine.onForeignChange(({ restored, [name]: appended }) => {
    if (restored) {
      later = { queues: [], seqs: [], times: [] }
      loading = loading.then(() => untilDone(load))
    } else appendAll(appended)
    void loading.then(() => untilDone(countBuried)).then(() => onChange({ restored }))
  })
  await loading
  await countBuried()

  return {
    queues,
    append,
    appendAll,
    buried: (queue) => (queue === undefined ? buried : (buriedOf.get(queue) ?? 0)),
    countBuried,
  }
}
