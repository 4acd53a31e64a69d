/**
 * `Log` in Redis: a stream per queue, and sorted sets and hashes for leases and fences.
 * Appends that arrive together share one script call; so do settlements. A process that appends but does not watch the log
 * publishes a message to the processes that watch it. A large report body has its own key and is sent once; the log entry and
 * the recent report refer to that key.
 */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../ports/clock.ts'
import { memoryRoom } from '../../../ports/memory-room.ts'
import { type EntryText, toEntryText } from '../../../ports/storage/entry-text.ts'
import {
  buriedPortion,
  checkAppend,
  type Lease,
  type Log,
  type LogBound,
  type LogEntry,
  type NewEntry,
  type Settlement,
} from '../../../ports/storage/log.ts'
import { LazyEntry } from '../../lazy-entry.ts'
import { createWatchers } from '../../watchers.ts'
import type { RedisLink, Value } from '../link/link.ts'
import type { RedisPubSub } from '../link/pub-sub.ts'
import { toNumbers, toRows } from '../link/reply.ts'
import { createScriptBatch } from '../link/script-batch.ts'
import { createBodyNames, isLarge } from './body-names.ts'
import { forgetBuriedScript, listBuriedScript, oldestBuriedScript, unburyScript } from './burial-scripts.ts'
import { createLeasedBodies } from './leased-bodies.ts'
import { type Row, toBuried, toBytes, toLeasedRows, toRow } from './log-rows.ts'
import {
  appendOnwardScript,
  appendScript,
  bytesOfClientScript,
  depthScript,
  leaseScript,
  listScript,
  settleScript,
  wakeScript,
} from './log-scripts.ts'

export interface RedisLog extends Log {
  /** The name of an entry's body, if the body has its own key and this process has leased the entry. */
  findName(queue: string, seq: number): string | undefined
}

export interface RedisLogOptions {
  link: RedisLink
  clock: Clock
  /** All but `report` come from reports that were already accepted, so they are appended even while memory is full. */
  name: 'report' | 'delivery' | 'air'
  /** Messages of other processes. Default: none; entries of other processes are then found by polling. */
  pubSub?: RedisPubSub
}

interface Append {
  entries: NewEntry[]
  bound: LogBound
}

type Settle = { lease: Pick<Lease, 'queue' | 'fence'>; settlement: Settlement }

const maxAppendedBytes = Math.floor(memoryRoom(32 * 1024 * 1024))

export function createRedisLog({ link, clock, name, pubSub }: RedisLogOptions): RedisLog {
  const watchers = createWatchers()
  // Entries that this process appended and will probably lease itself, so that it need not read back or parse large bodies.
  const appended = new LRUCache<number, Written>({ maxSize: maxAppendedBytes, sizeCalculation: sizeOfWritten })
  const leasedBodies = createLeasedBodies()
  const nameBody = createBodyNames()
  const keys: [string] = [`log:${name}:`]
  const toBodyKey = (bodyName: string) => `log:${name}:body:${bodyName}`
  let watching = 0
  /**
   * The answer of a lease waits for the latest append, which fills `appended`. The wait is short, because Redis answers in
   * order.
   */
  let appending: Promise<unknown> = Promise.resolve()

  async function write(calls: Append[], answerMs: number): Promise<number[]> {
    const written = calls.map(({ entries, bound }) => ({ bound, entries: entries.map(toWritten) }))
    const all = written.flatMap(({ entries }) => entries)
    const args = written.flatMap(({ entries, bound: { perQueue = 0, bytesPerQueue = 0, bytesPerClient = 0 } }) => [
      ...[perQueue, bytesPerQueue, bytesPerClient],
      entries.length,
      ...entries.flatMap(({ queue, field, text }) => [queue, field, text]),
    ])
    // If this process watches the log, it leases the entries at once; other processes find the rest by polling, and all of
    // `air`.
    const publishes = watching === 0 && name !== 'air' ? 1 : 0
    const bodies = all.flatMap(({ text, body }): Value[] => (body ? [[toBodyKey(text), body]] : []))
    const script = name === 'report' ? appendScript : appendOnwardScript
    const scriptArgs = [clock.now(), publishes, all.length, ...args]
    const [first = 0, ...dropped] = toNumbers(await link.runAfterWriting(bodies, script, keys, scriptArgs, answerMs))
    link.recordSeq(keys[0], first + all.length - 1)
    for (const [index, one] of all.entries()) if (one.value !== undefined || one.body) appended.set(first + index, one)
    // One notification per call: the loop that leases from the log counts them to measure how much arrives.
    for (const _ of calls) watchers.notify()
    return dropped
  }

  const append = createScriptBatch<Append, number>({
    run(calls, answerMs) {
      const written = write(calls, answerMs)
      appending = written.catch(() => {})
      return written
    },
    sizeOf: ({ entries }) => entries.reduce((sum, { body }) => sum + body.length, 0),
  })

  const settle = createScriptBatch<Settle, boolean>({
    async run(calls, answerMs) {
      const now = clock.now()
      const args = calls.flatMap(({ lease: { queue, fence }, settlement }) => {
        const { buried = [], retryAtMs = now } = settlement
        const accepted = settlement.accepted.toSorted((a, b) => a - b)
        const reasons = buried.flatMap(({ seq, reason }) => [seq, reason])
        const known = leasedBodies.take({ queue, fence }, accepted)
        const bodies = known ? [1, ...known.sizes, known.names.length, ...known.names] : [0]
        return [queue, fence, retryAtMs, accepted.length, ...accepted, buried.length, ...reasons, ...bodies]
      })
      const settled = toNumbers(await link.run(settleScript, keys, [now, ...args], answerMs))
      watchers.notify()
      return settled.map((one) => one === 1)
    },
    // The script reads the bodies of the entries that it buries.
    sizeOf: ({ lease: { queue }, settlement: { accepted, buried = [] } }) =>
      buried.reduce((sum, { seq }) => sum + 1_024 + (leasedBodies.findBytes(queue, seq) ?? 0), 16 * accepted.length),
  })

  /** Other entries than reports always contain their body: a full Redis lets a script append it, but refuses a separate key. */
  function toWritten({ queue, body, value }: NewEntry): Written {
    if (name !== 'report' || !isLarge(body)) return { queue, field: 'body', text: toEntryText(body), value }
    const bytes = toBuffer(body)
    return { queue, field: 'name', text: nameBody(bytes.length), value, body: bytes }
  }

  /** Also undefined if the text differs: a Redis that has lost its last writes assigns the same seqs to new entries. */
  function takeAppended({ seq, text }: Row): Written | undefined {
    const found = appended.get(seq)
    appended.delete(seq)
    return found?.text === text ? found : undefined
  }

  /** Reads the bodies that are not in memory in one call. */
  async function toLeased(rows: Row[]): Promise<LogEntry[]> {
    const known = rows.map(takeAppended)
    const bodies = await readBodies(rows.filter(({ isNamed }, index) => isNamed && !known[index]?.body))
    return rows.map(({ seq, appendedAtMs, text, isNamed }, index) => {
      const { value, body } = known[index] ?? {}
      // A body is missing only if another process has settled the entry. This lease is then void, so '' is never used.
      if (isNamed) return new LazyEntry(seq, appendedAtMs, body ?? bodies.get(text) ?? '', value)
      return { seq, appendedAtMs, body: text, ...(value !== undefined && { value }) }
    })
  }

  /** Returns the bodies by name. Deleted bodies are not in the map. */
  async function readBodies(rows: Pick<Row, 'text'>[]): Promise<Map<string, string>> {
    if (rows.length === 0) return new Map()
    const found = await link.read(rows.map(({ text }) => toBodyKey(text)))
    return new Map(rows.flatMap(({ text }, index): [string, string][] => toPair(text, found[index])))
  }

  /** Reads page after page until it has `limit` entries or there are no more. */
  async function listPages<R extends { seq: number; text: string; isNamed: boolean }>(
    limit: number,
    afterSeq: number | undefined,
    readPage: (afterSeq: number | undefined, most: number) => Promise<R[]>,
  ): Promise<(R & { body: string })[]> {
    const entries: (R & { body: string })[] = []
    for (let after = afterSeq; entries.length < limit; ) {
      const page = await readPage(after, limit - entries.length)
      after = page.at(-1)?.seq
      if (after === undefined) break
      const bodies = await readBodies(page.filter(({ isNamed }) => isNamed))
      for (const row of page) {
        const body = row.isNamed ? bodies.get(row.text) : row.text
        // An entry that was deleted after the page was read is omitted.
        if (body !== undefined) entries.push({ ...row, body })
      }
    }
    return entries
  }

  return {
    async append(entries, bound) {
      checkAppend(entries, bound)
      if (entries.length === 0) return { dropped: 0 }
      return { dropped: await append({ entries, bound: bound ?? {} }) }
    },
    async lease({ queues, entries, leaseMs }) {
      const now = clock.now()
      const before = appending
      const leases = toRows(await link.run(leaseScript, keys, [now, now + leaseMs, queues, entries])).map(toLeasedRows)
      await before
      for (const lease of leases) leasedBodies.add(lease, lease.rows)
      const leased = await toLeased(leases.flatMap(({ rows }) => rows))
      let next = 0
      return leases.map(({ queue, fence, rows }) => ({
        queue,
        fence,
        entries: leased.slice(next, (next += rows.length)),
        size: rows.reduce((sum, row) => sum + toBytes(row), 0),
      }))
    },
    settle: (lease, settlement) => settle({ lease, settlement }),
    async wake(queue) {
      await link.run(wakeScript, keys, [queue])
      watchers.notify()
    },
    async depth(queue = '') {
      const [waiting, buried, oldest] = toRows(await link.run(depthScript, keys, [queue]))
      return {
        waiting: Number(waiting ?? 0),
        buried: Number(buried ?? 0),
        oldestAppendedAtMs: oldest === undefined || oldest === null ? null : Number(oldest),
      }
    },
    async bytesOfClient(queue) {
      return Number(await link.run(bytesOfClientScript, keys, [queue]))
    },
    async list(queue, { afterSeq, limit, characters = '' }) {
      const found = await listPages(limit, afterSeq, async (after, most) => {
        const from = after === undefined ? '-' : `(${after}-0`
        return toRows(await link.run(listScript, keys, [queue, from, most, characters])).map(toRow)
      })
      return found.map(({ seq, appendedAtMs, body }) => ({ seq, appendedAtMs, body }))
    },
    async listBuried({ queue = '', afterSeq, limit, characters = '' }) {
      const found = await listPages(limit, afterSeq, async (after, most) =>
        toRows(await link.run(listBuriedScript, keys, [queue, after ?? 0, most, characters])).map(toBuried),
      )
      return found.map(({ text: _, isNamed: __, ...entry }) => entry)
    },
    oldestBuried: async (queue, limit) => toNumbers(await link.run(oldestBuriedScript, keys, [queue, limit])),
    async unbury(seqs) {
      let found = 0
      for (let next = 0; next < seqs.length; ) {
        const portion = seqs.slice(next, next + buriedPortion.entries)
        const [unburied = 0, done = 0] = toNumbers(await link.run(unburyScript, keys, [clock.now(), ...portion]))
        next += done
        found += unburied
        watchers.notify()
      }
      return found
    },
    async forgetBuried(beforeMs) {
      for (let forgotten = 0; ; ) {
        const now = Number(await link.run(forgetBuriedScript, keys, [beforeMs]))
        if (now === 0) return forgotten
        forgotten += now
      }
    },
    findName: leasedBodies.findName,
    watch(listener) {
      const stops = [watchers.watch(listener), pubSub?.watch(`${keys[0]}work`, listener)]
      watching++
      return () => {
        watching--
        for (const stop of stops) stop?.()
      }
    },
  }
}

/** An entry as stored in Redis: with its body, or with the name of a body that has its own key. */
interface Written {
  queue: string
  field: 'body' | 'name'
  text: string
  value?: unknown
  body?: Buffer
}

function sizeOfWritten({ text, body }: Written): number {
  return 1 + text.length + (body?.length ?? 0)
}

function toBuffer(text: EntryText): Buffer {
  return typeof text === 'string' ? Buffer.from(text) : Buffer.from(text.buffer, text.byteOffset, text.byteLength)
}

function toPair(name: string, body: string | undefined): [string, string][] {
  return body === undefined ? [] : [[name, body]]
}
