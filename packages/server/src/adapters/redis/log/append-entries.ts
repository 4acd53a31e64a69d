/**
 * Appends entries, and remembers them for the leases of this process.
 * Appends that arrive together share one script call. A process that appends but does not watch the log publishes a
 * message to the processes that watch it. A large report body has its own key and is sent once; the log entry and the
 * recent report refer to that key.
 */
import { LRUCache } from 'lru-cache'
import { scaleToHeap } from '../../../ports/scale-to-heap.ts'
import { type EntryText, toEntryText } from '../../../ports/storage/entry-text.ts'
import type { LogBound, NewEntry } from '../../../ports/storage/log.ts'
import type { Value } from '../link/link.ts'
import { toNumbers, toRows } from '../link/reply.ts'
import { createScriptBatch } from '../link/script-batch.ts'
import { createBodyNames, isLarge } from './body-names.ts'
import type { LogParts } from './log-parts.ts'
import type { Row } from './log-rows.ts'
import { appendOnwardScript, appendScript } from './log-scripts.ts'
import { toSeq } from './partition-seqs.ts'

export interface AppendEntries {
  /** Returns the number of entries that were dropped. */
  append(call: Append): Promise<number>
  /** Resolves when the latest append has been answered, which fills `AppendedEntries`. */
  latest(): Promise<unknown>
  /** Removes and returns an entry that this process appended. */
  take(row: Row): Written | undefined
}

export interface Append {
  entries: NewEntry[]
  bound: LogBound
  /** A local seq that the seqs of these entries are above. */
  above: number
}

/** An entry as stored in Redis: with its body, or with the name of a body that has its own key. */
export interface Written {
  queue: string
  field: 'body' | 'name'
  text: string
  value?: unknown
  body?: Buffer
}

export interface AppendEntriesOptions extends LogParts {
  appended: AppendedEntries
  onSeq(local: number): void
  isWatched(): boolean
}

export type AppendedEntries = LRUCache<number, Written>

/** Entries that this process appended: it need not read back their large bodies, or parse them. */
export function createAppendedEntries(): AppendedEntries {
  return new LRUCache<number, Written>({ maxSize: maxAppendedBytes, sizeCalculation: sizeOfWritten })
}

const maxAppendedBytes = Math.floor(scaleToHeap(32 * 1024 * 1024))

export function createAppendEntries({
  link,
  clock,
  name,
  keys,
  partition,
  bodies,
  watchers,
  recordClientBytes,
  appended,
  onSeq,
  isWatched,
}: AppendEntriesOptions): AppendEntries {
  const nameBody = createBodyNames()
  let latest: Promise<unknown> = Promise.resolve()

  async function write(calls: Append[], answerMs: number): Promise<number[]> {
    const written = calls.map(({ entries, bound }) => ({ bound, entries: entries.map(toWritten) }))
    const all = written.flatMap(({ entries }) => entries)
    const args = written.flatMap(({ entries, bound: { perQueue = 0, bytesPerQueue = 0, bytesPerClient = 0 } }) => [
      ...[perQueue, bytesPerQueue, bytesPerClient],
      entries.length,
      ...entries.flatMap(({ queue, field, text }) => [queue, field, text]),
    ])
    // If this process watches the log, it leases the entries at once; other processes find the rest by polling, and all
    // of `air`.
    const publishes = isWatched() || name === 'air' ? 0 : 1
    const ownKeys = all.flatMap(({ text, body }): Value[] => (body ? [[bodies.toKey(text), body]] : []))
    const script = name === 'report' ? appendScript : appendOnwardScript
    const above = calls.reduce((most, call) => Math.max(most, call.above), 0)
    const scriptArgs = [clock.now(), publishes, above, all.length, ...args]
    const answer = toRows(await link.runAfterWriting(ownKeys, script, keys, scriptArgs, answerMs))
    const [first, dropped] = [Number(answer[0]), toNumbers(answer[1])]
    link.recordSeq(name, first + all.length - 1)
    onSeq(first + all.length - 1)
    recordClientBytes(answer[2])
    for (const [index, one] of all.entries()) {
      if (one.value !== undefined || one.body) appended.set(toSeq(first + index, partition), one)
    }
    // One notification per call: the loop that leases from the log counts them to measure how much arrives.
    for (const _ of calls) watchers.notify()
    return dropped
  }

  /**
   * Other entries than reports always contain their body: a full Redis lets a script append it, but refuses a separate
   * key.
   */
  function toWritten({ queue, body, value }: NewEntry): Written {
    if (name !== 'report' || !isLarge(body)) return { queue, field: 'body', text: toEntryText(body), value }
    const bytes = toBuffer(body)
    return { queue, field: 'name', text: nameBody(bytes.length), value, body: bytes }
  }

  return {
    append: createScriptBatch<Append, number>({
      answerMs: link.answerMs,
      run(calls, answerMs) {
        const written = write(calls, answerMs)
        latest = written.catch(() => {})
        return written
      },
      sizeOf: ({ entries }) => entries.reduce((sum, { body }) => sum + body.length, 0),
    }),
    latest: () => latest,
    take({ seq, text }) {
      const found = appended.get(seq)
      appended.delete(seq)
      // The text differs if a Redis that has lost its last writes has assigned the seq to a new entry.
      return found?.text === text ? found : undefined
    },
  }
}

function sizeOfWritten({ text, body }: Written): number {
  return 1 + text.length + (body?.length ?? 0)
}

function toBuffer(text: EntryText): Buffer {
  return typeof text === 'string' ? Buffer.from(text) : Buffer.from(text.buffer, text.byteOffset, text.byteLength)
}
