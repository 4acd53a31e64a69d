/**
 * `ReportLog`, `DeliveryLog` and `AirLog` in the embedded database, for the process that owns them.
 * Queues and leases are in memory, because leases end with the process anyway. The file contains what must survive a
 * restart. An append is durable when it resolves. A settled entry is deleted from the file when `settle` resolves.
 */
import { createBatch, waitIterations } from '../../../concurrency/batch.ts'
import type { Clock } from '../../../ports/clock.ts'
import { scaleToHeap } from '../../../ports/scale-to-heap.ts'
import { bytesOf, type EntryText, longFromBytes } from '../../../ports/storage/entry-text.ts'
import {
  checkAppend,
  fullLeaseSize,
  type Lease,
  type Log,
  type LogBound,
  type LogEntry,
  type LogName,
} from '../../../ports/storage/log.ts'
import { deliveryIterations } from '../../../ports/storage/recent-deliveries.ts'
import { LazyEntry } from '../../lazy-entry.ts'
import { bytesBeyond } from '../../queues/buried-counts.ts'
import type { LeasedQueue } from '../../queues/queues.ts'
import { createWatchers } from '../../watchers.ts'
import type { SqliteEngine } from '../engine.ts'
import { createBodyCache } from './body-cache.ts'
import { forgetBuried, listBuried, listPages, unbury } from './list-pages.ts'
import { loadWaiting } from './waiting.ts'

export interface SqliteLog extends Log {
  /** The size of the entry's body, if the file certainly contains it. Then a recent report need not write it again. */
  findBytes(seq: number): number | undefined
}

export interface SqliteLogOptions {
  engine: SqliteEngine
  clock: Clock
  name: LogName
}

/** How many characters one lease call may read from the file. The queues beyond it are leased by the next call. */
const readBackBudget = scaleToHeap(32 * 1024 * 1024)

/** Entries that are deleted per call, so that other calls do not wait long. */
const maxRemoved = 1_000

export async function openSqliteLog({ engine, clock, name }: SqliteLogOptions): Promise<SqliteLog> {
  const watchers = createWatchers()
  const bodies = createBodyCache()
  const waiting = await loadWaiting({
    engine,
    name,
    clock,
    onChange({ restored }) {
      if (restored) bodies.clear()
      watchers.notify()
    },
  })
  const { queues, buried } = waiting
  const remove = createBatch({
    run: async (seqs: number[][]) => {
      const all = seqs.flat()
      for (let at = 0; at < all.length; at += maxRemoved) {
        await engine.call('log.remove', name, all.slice(at, at + maxRemoved))
      }
    },
    ...(name === 'delivery' && { wait: waitIterations(deliveryIterations) }),
  })

  /** Transfers a copy: the original stays in memory for the consumer. */
  function transfer(text: EntryText): EntryText {
    return typeof text === 'string' ? text : engine.transfer(new Uint8Array(text))
  }

  function forget(queue: string, seqs: number[]): void {
    for (const seq of seqs) bodies.remove(seq)
    if (seqs.length > 0) queues.remove(queue, seqs)
  }

  async function bury(queue: string, toBury: { seq: number; reason: string }[]): Promise<void> {
    const reasons = new Map(toBury.map(({ seq, reason }) => [seq, reason]))
    const seqs = queues.presentIn(queue, reasons.keys())
    const inOrder = seqs.map((seq) => reasons.get(seq) ?? '')
    const sizes = await engine.call('log.bury', name, seqs, inOrder, clock.now())
    for (const bytes of sizes) buried.add({ queue, buried: 1, bytes })
    forget(queue, seqs)
  }

  /** Returns the number of dropped entries. */
  async function drop(queue: string, bound: LogBound): Promise<number> {
    const beyond = bytesBeyond(queue, bound, [queues, buried])
    const ofBuried = await dropBuried(queue, beyond)
    const limit = { entries: bound.perQueue ?? Number.POSITIVE_INFINITY, bytes: beyond - ofBuried.bytes }
    const dropped = queues.trim(queue, limit)
    for (const seq of dropped) bodies.remove(seq)
    if (dropped.length > 0) await remove(dropped)
    return ofBuried.entries + dropped.length
  }

  async function dropBuried(queue: string, bytes: number): Promise<{ entries: number; bytes: number }> {
    if (bytes === 0 || buried.bytes(queue) === 0) return { entries: 0, bytes: 0 }
    const dropped = await engine.call('log.dropBuried', name, queue, bytes)
    buried.add({ queue, buried: -dropped.entries, bytes: -dropped.bytes })
    return dropped
  }

  /** Reads the bodies that the cache does not have, in one call for all leases. */
  async function readBack(leased: LeasedQueue[]): Promise<void> {
    const missing = leased.map(({ entries }) => entries.map(({ seq }) => seq).filter((seq) => !bodies.get(seq)))
    if (missing.every((seqs) => seqs.length === 0)) return
    const found = await engine.call('log.read', name, missing, readBackBudget)
    found.forEach((read, index) => {
      read.forEach((body, at) => {
        const seq = missing[index]?.[at]
        const queue = leased[index]?.name ?? ''
        if (seq === undefined || !queues.has(queue, seq)) return
        if (body !== undefined) bodies.addLeased(seq, toBytesIfLong(body))
        // The file no longer contains the entry.
        else queues.remove(queue, [seq])
      })
    })
  }

  /**
   * Stops at the first entry whose body was not read, and once the lease is full. Omits entries that were dropped since
   * the lease. Ends the lease, and returns undefined, if no body was read.
   */
  function toLease({ name: queue, fence, entries }: LeasedQueue): Lease | undefined {
    const lease: Lease = { queue, fence, entries: [], size: 0 }
    for (const { seq, appendedAtMs } of entries) {
      if (lease.size >= fullLeaseSize) break
      const found = bodies.get(seq)
      if (found) {
        lease.entries.push(new LazyEntry(seq, appendedAtMs, found.text, found.value))
        lease.size += found.text.length
      } else if (queues.has(queue, seq)) {
        if (lease.entries.length > 0) break
        queues.settle(lease, [], clock.now())
        return undefined
      }
    }
    return lease
  }

  /** The entries as `list` returns them, if the cache has all of them: the air picture reads each entry soon. */
  function findEntries(queue: string, seqs: number[]): LogEntry[] | undefined {
    const found: LogEntry[] = []
    for (const seq of seqs) {
      const body = bodies.get(seq)
      if (!body) return undefined
      found.push(new LazyEntry(seq, queues.appendedAtMs(queue, seq), body.text, body.value))
    }
    return found
  }

  const forgetPortions = (which: { beforeMs: number; ofQueue?: string }) =>
    forgetBuried(engine, name, {
      ...which,
      onPortion(forgotten) {
        for (const { queue, bytes } of forgotten) buried.add({ queue, buried: -1, bytes: -bytes })
      },
    })

  return {
    async append(entries, bound) {
      checkAppend(entries, bound)
      if (entries.length === 0) return { dropped: 0 }
      const nowMs = clock.now()
      const names = entries.map(({ queue }) => queue)
      const texts = entries.map(({ body }) => toBytesIfLong(body))
      const first = await engine.call('log.append', name, names, texts.map(transfer), nowMs)
      for (const [index, { queue, value }] of entries.entries()) {
        const [seq, text] = [first + index, texts[index] ?? '']
        waiting.append(queue, { seq, appendedAtMs: nowMs, bytes: bytesOf(text) })
        if (!queues.isCoolingDown(queue, clock.now())) bodies.add(seq, text, value)
      }
      let dropped = 0
      if (bound) for (const queue of new Set(names)) dropped += await drop(queue, bound)
      watchers.notify()
      return { dropped }
    },
    async lease(options) {
      const leased = queues.lease(options, clock.now())
      try {
        await readBack(leased)
      } catch (error) {
        for (const { name: queue, fence } of leased) queues.settle({ queue, fence }, [], clock.now())
        throw error
      }
      return leased.flatMap((queue) => toLease(queue) ?? [])
    },
    async settle(lease, { accepted, buried: toBury = [], retryAtMs }) {
      if (!queues.isLeasedBy(lease)) return false
      const gone = queues.presentIn(lease.queue, accepted)
      // Each call handles its own entries: those deleted from the file leave the queue even if the other call fails.
      await Promise.all([
        gone.length > 0 && remove(gone).then(() => forget(lease.queue, gone)),
        toBury.length > 0 && bury(lease.queue, toBury),
      ])
      queues.settle(lease, [], clock.now(), retryAtMs)
      // The queue cools down, so these bodies are not needed soon.
      if (bodies.isHalfFull() && queues.isCoolingDown(lease.queue, clock.now())) {
        for (const seq of queues.seqs(lease.queue, { limit: Number.POSITIVE_INFINITY })) bodies.remove(seq)
      }
      watchers.notify()
      return true
    },
    async wake(queue) {
      queues.wake(queue, clock.now())
      watchers.notify()
    },
    async depth(queue) {
      return { ...queues.depth(queue), buried: buried.buried(queue) }
    },
    async bytesOfClient(queue) {
      return queues.bytesOfClient(queue) + buried.bytesOfClient(queue)
    },
    list: (queue, options) =>
      listPages(options, async (afterSeq, limit, characters) => {
        const seqs = queues.seqs(queue, { afterSeq, limit })
        const known = options.characters === undefined ? findEntries(queue, seqs) : undefined
        if (known) return known
        return seqs.length === 0 ? [] : engine.call('log.entries', name, seqs, characters)
      }),
    listBuried: (options) => listBuried(engine, name, options),
    oldestBuried: (queue, limit) => engine.call('log.oldestBuried', name, queue, limit),
    unbury: (seqs) =>
      unbury(engine, name, {
        seqs,
        nowMs: clock.now(),
        onPortion(appended) {
          waiting.appendAll(appended)
          for (const [index, queue] of appended.queues.entries()) {
            buried.add({ queue, buried: -1, bytes: -(appended.sizes[index] ?? 0) })
          }
          watchers.notify()
        },
      }),
    forgetBuried: (beforeMs) => forgetPortions({ beforeMs }),
    forgetBuriedOf: (ofQueue, beforeMs) => forgetPortions({ beforeMs, ofQueue }),
    watch: watchers.watch,
    findBytes: (seq) => bodies.findBytes(seq),
  }
}

/** A long text is kept in memory, and sent to the database thread, as bytes. */
function toBytesIfLong(text: EntryText): EntryText {
  return typeof text !== 'string' || text.length < longFromBytes ? text : Buffer.from(text)
}
