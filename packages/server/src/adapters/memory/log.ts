/** `Log` in the process's memory: for `--memory` and for tests. Entries are lost when the process ends. */
import { setImmediate } from 'node:timers/promises'
import { ApiError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import { scaleToHeap } from '../../ports/scale-to-heap.ts'
import { bytesOf, toEntryText } from '../../ports/storage/entry-text.ts'
import {
  type BuriedEntry,
  buriedPortion,
  checkAppend,
  type Dropped,
  fullLeaseSize,
  type Log,
  type LogBound,
  type LogEntry,
  type NewEntry,
} from '../../ports/storage/log.ts'
import { bytesBeyond } from '../queues/buried-counts.ts'
import { createQueues } from '../queues/queues.ts'
import { createWatchers } from '../watchers.ts'
import { createBuriedEntries } from './buried-entries.ts'
import { costOf, createLogRoom } from './log-room.ts'

export interface MemoryLogOptions {
  clock: Clock
  /** Limit of the memory of all entries together, waiting and buried. Default: 256 MiB, less if the heap is small. */
  roomBytes?: number
  /**
   * At the limit, the client with the most bytes loses its oldest buried entries. If that is not enough, `drop` also
   * drops its oldest waiting entries, and `refuse` refuses the append. Default `drop`.
   */
  whenFull?: 'drop' | 'refuse'
}

export function createMemoryLog({
  clock,
  roomBytes = scaleToHeap(256 * 1024 * 1024),
  whenFull = 'drop',
}: MemoryLogOptions): Log {
  const queues = createQueues()
  const watchers = createWatchers()
  const waiting = new Map<number, LogEntry>()
  const buried = createBuriedEntries()
  const room = createLogRoom(roomBytes)
  let lastSeq = 0

  function put(queue: string, entry: Pick<NewEntry, 'body' | 'value'>): void {
    const nowMs = clock.now()
    const seq = ++lastSeq
    const { body, value } = entry
    const bytes = bytesOf(body)
    waiting.set(seq, { seq, appendedAtMs: nowMs, body: toEntryText(body), ...(value !== undefined && { value }) })
    queues.append(queue, { seq, appendedAtMs: nowMs, bytes }, nowMs)
    room.add(queue, costOf(entry))
  }

  /** Removes an entry that has left its queue. */
  function takeWaiting(queue: string, seq: number): LogEntry | undefined {
    const entry = waiting.get(seq)
    if (!waiting.delete(seq) || !entry) return undefined
    room.add(queue, -costOf(entry))
    return entry
  }

  function takeBuried(seq: number): BuriedEntry | undefined {
    const entry = buried.take(seq)
    if (entry) room.add(entry.queue, -costOf(entry))
    return entry
  }

  /** Drops the oldest buried entries of a queue while this returns true. Returns their number. */
  function dropBuried(queue: string, mustGoOn: () => boolean): number {
    let dropped = 0
    for (const seq of mustGoOn() ? buried.seqs(queue) : []) {
      if (!mustGoOn()) break
      takeBuried(seq)
      dropped++
    }
    return dropped
  }

  /** Applies the bound of a queue. Returns the number of dropped entries. */
  function drop(queue: string, bound: LogBound): number {
    const beyond = () => bytesBeyond(queue, bound, [queues, buried.counts])
    const dropped = dropBuried(queue, () => beyond() > 0)
    const limit = { entries: bound.perQueue ?? Number.POSITIVE_INFINITY, bytes: beyond() }
    const trimmed = queues.trim(queue, limit)
    for (const seq of trimmed) takeWaiting(queue, seq)
    return dropped + trimmed.length
  }

  /** Drops buried entries of the client with the most bytes. Undefined if it has none. */
  function dropBuriedOfLargest(mustGoOn: () => boolean): Dropped | undefined {
    const queue = room.findLargest((name) => buried.counts.buried(name) > 0)
    return queue === undefined ? undefined : { queue, entries: dropBuried(queue, mustGoOn) }
  }

  /** Drops some more than needed, so that the next appends need not drop again. */
  function dropWaitingOfLargest(): Dropped | undefined {
    const queue = room.findLargest()
    if (queue === undefined) return undefined
    const seqs = queues.seqs(queue, { limit: Number.POSITIVE_INFINITY })
    const oldest = seqs.slice(0, Math.ceil(seqs.length / 8))
    queues.remove(queue, oldest)
    for (const seq of oldest) takeWaiting(queue, seq)
    return { queue, entries: oldest.length }
  }

  function makeRoom(): Dropped[] {
    const dropped: Dropped[] = []
    while (room.isOver()) {
      const lost = dropBuriedOfLargest(room.isOver) ?? dropWaitingOfLargest()
      if (!lost) break
      dropped.push(lost)
    }
    return dropped
  }

  /** @throws ApiError `unavailable` when there is no room. */
  function makeRoomFor(entries: NewEntry[]): void {
    for (const [queue, ofQueue] of Map.groupBy(entries, (entry) => entry.queue)) {
      const bytes = ofQueue.reduce((sum, entry) => sum + costOf(entry), 0)
      const isFull = () => !room.fits(queue, bytes)
      while (isFull()) if (!dropBuriedOfLargest(isFull)) throw full()
    }
  }

  function bury(entry: BuriedEntry): void {
    buried.add(entry)
    room.add(entry.queue, costOf(entry))
  }

  const entriesAt = (seqs: number[]) => seqs.flatMap((seq) => waiting.get(seq) ?? [])
  const buriedAt = (seqs: number[]) => seqs.flatMap((seq) => buried.get(seq) ?? [])

  return {
    async append(entries, bound) {
      checkAppend(entries, bound)
      if (whenFull === 'refuse') makeRoomFor(entries)
      for (const { queue, ...entry } of entries) put(queue, entry)
      const own = new Set(entries.map(({ queue }) => queue))
      const lost = whenFull === 'drop' ? makeRoom() : []
      if (bound) for (const queue of own) lost.push({ queue, entries: drop(queue, bound) })
      watchers.notify()
      const others = lost.filter(({ queue }) => !own.has(queue))
      const dropped = lost.reduce((sum, { queue, entries: count }) => sum + (own.has(queue) ? count : 0), 0)
      return { dropped, ...(others.length > 0 && { others }) }
    },
    async lease(options) {
      return queues.lease(options, clock.now()).map(({ name, fence, entries }) => {
        const leased: LogEntry[] = []
        let size = 0
        for (const entry of entriesAt(entries.map(({ seq }) => seq))) {
          if (size >= fullLeaseSize) break
          leased.push(entry)
          size += entry.body.length
        }
        return { queue: name, fence, entries: leased, size }
      })
    },
    async settle(lease, { accepted, buried: toBury = [], retryAtMs }) {
      if (!queues.isLeasedBy(lease)) return false
      const nowMs = clock.now()
      const reasons = new Map(toBury.map(({ seq, reason }) => [seq, reason]))
      for (const seq of queues.presentIn(lease.queue, [...accepted, ...reasons.keys()])) {
        const reason = reasons.get(seq)
        const entry = takeWaiting(lease.queue, seq)
        if (entry && reason !== undefined) bury({ ...entry, queue: lease.queue, reason, buriedAtMs: nowMs })
      }
      queues.settle(lease, [...accepted, ...reasons.keys()], nowMs, retryAtMs)
      watchers.notify()
      return true
    },
    async wake(queue) {
      queues.wake(queue, clock.now())
      watchers.notify()
    },
    async depth(queue) {
      return { ...queues.depth(queue), buried: buried.counts.buried(queue) }
    },
    async bytesOfClient(queue) {
      return queues.bytesOfClient(queue) + buried.counts.bytesOfClient(queue)
    },
    async list(queue, options) {
      return entriesAt(queues.seqs(queue, options)).map((entry) => beginningOf(entry, options))
    },
    async listBuried({ queue, afterSeq = 0, limit, characters }) {
      const seqs = buried.seqs(queue).filter((seq) => seq > afterSeq)
      return buriedAt(seqs.slice(0, limit)).map((entry) => beginningOf(entry, { characters }))
    },
    oldestBuried: async (queue, limit) => buried.seqs(queue).slice(0, limit),
    async unbury(seqs) {
      const inOrder = [...new Set(seqs)].sort((a, b) => a - b)
      let found = 0
      for (let next = 0; next < inOrder.length; next += buriedPortion.entries) {
        for (const seq of inOrder.slice(next, next + buriedPortion.entries)) {
          const entry = takeBuried(seq)
          if (!entry) continue
          put(entry.queue, entry)
          found++
        }
        watchers.notify()
        await setImmediate()
      }
      return found
    },
    async forgetBuried(beforeMs) {
      const old = buriedAt(buried.seqs(undefined)).filter(({ buriedAtMs }) => buriedAtMs < beforeMs)
      for (const { seq } of old) takeBuried(seq)
      return old.length
    },
    async forgetBuriedOf(queue, appendedBeforeMs) {
      const old = buriedAt(buried.seqs(queue)).filter(({ appendedAtMs }) => appendedAtMs < appendedBeforeMs)
      for (const { seq } of old) takeBuried(seq)
      return old.length
    },
    watch: watchers.watch,
  }
}

function full(): ApiError {
  return new ApiError('unavailable', 'Too many reports wait in memory; nothing was stored, send it again in 5 s', {
    headers: { 'Retry-After': '5' },
  })
}

function beginningOf<E extends LogEntry>(entry: E, { characters }: { characters?: number | undefined }): E {
  return characters === undefined ? entry : { ...entry, body: entry.body.slice(0, characters) }
}
