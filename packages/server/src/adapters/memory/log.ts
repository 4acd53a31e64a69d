/** `Log` in the process's memory: for `--memory` and for tests. Entries are lost when the process ends. */
import type { Clock } from '../../ports/clock.ts'
import { bytesOf, toEntryText } from '../../ports/storage/entry-text.ts'
import {
  type BuriedEntry,
  checkAppend,
  fullLeaseSize,
  type Log,
  type LogBound,
  type LogEntry,
  type NewEntry,
} from '../../ports/storage/log.ts'
import { bytesBeyond, createBuriedCounts } from '../queues/buried-counts.ts'
import { createQueues } from '../queues/queues.ts'
import { createWatchers } from '../watchers.ts'

export function createMemoryLog({ clock }: { clock: Clock }): Log {
  const queues = createQueues()
  const watchers = createWatchers()
  const waiting = new Map<number, LogEntry>()
  const buried = new Map<number, BuriedEntry>()
  const buriedCounts = createBuriedCounts()
  let lastSeq = 0

  function put(queue: string, entry: Pick<NewEntry, 'body' | 'value'>): void {
    const nowMs = clock.now()
    const seq = ++lastSeq
    const { body, value } = entry
    waiting.set(seq, { seq, appendedAtMs: nowMs, body: toEntryText(body), ...(value !== undefined && { value }) })
    queues.append(queue, { seq, appendedAtMs: nowMs, bytes: bytesOf(body) }, nowMs)
  }

  function countBuried(): void {
    buriedCounts.set([...buried.values()].map(({ queue, body }) => ({ queue, buried: 1, bytes: bytesOf(body) })))
  }

  /** Returns the number of dropped entries. */
  function drop(queue: string, bound: LogBound): number {
    let bytes = bytesBeyond(queue, bound, [queues, buriedCounts])
    let dropped = 0
    for (const { seq, body } of bytes > 0 ? buriedOf(queue) : []) {
      if (bytes <= 0) break
      buried.delete(seq)
      bytes -= bytesOf(body)
      dropped++
    }
    if (dropped > 0) countBuried()
    for (const seq of queues.trim(queue, { entries: bound.perQueue ?? Number.POSITIVE_INFINITY, bytes })) {
      if (waiting.delete(seq)) dropped++
    }
    return dropped
  }

  /** The buried entries of one queue or of all queues, by seq. */
  function buriedOf(queue: string | undefined): BuriedEntry[] {
    const all = [...buried.values()].sort((a, b) => a.seq - b.seq)
    return queue === undefined ? all : all.filter((entry) => entry.queue === queue)
  }

  const entriesAt = (seqs: number[]) => seqs.flatMap((seq) => waiting.get(seq) ?? [])

  return {
    async append(entries, bound) {
      checkAppend(entries, bound)
      for (const { queue, ...entry } of entries) put(queue, entry)
      let dropped = 0
      if (bound) for (const queue of new Set(entries.map((entry) => entry.queue))) dropped += drop(queue, bound)
      watchers.notify()
      return { dropped }
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
      for (const seq of queues.among(lease.queue, [...accepted, ...reasons.keys()])) {
        const entry = waiting.get(seq)
        const reason = reasons.get(seq)
        waiting.delete(seq)
        if (entry && reason !== undefined) buried.set(seq, { ...entry, queue: lease.queue, reason, buriedAtMs: nowMs })
      }
      queues.settle(lease, [...accepted, ...reasons.keys()], nowMs, retryAtMs)
      if (reasons.size > 0) countBuried()
      watchers.notify()
      return true
    },
    async wake(queue) {
      queues.wake(queue, clock.now())
      watchers.notify()
    },
    async depth(queue) {
      return { ...queues.depth(queue), buried: buriedCounts.buried(queue) }
    },
    async bytesOfClient(queue) {
      return queues.bytesOfClient(queue) + buriedCounts.bytesOfClient(queue)
    },
    async list(queue, options) {
      return entriesAt(queues.seqs(queue, options)).map((entry) => beginningOf(entry, options))
    },
    async listBuried({ queue, afterSeq = 0, limit, characters }) {
      return buriedOf(queue)
        .filter(({ seq }) => seq > afterSeq)
        .slice(0, limit)
        .map((entry) => beginningOf(entry, { characters }))
    },
    async unbury(seqs) {
      const found = [...new Set(seqs)].flatMap((seq) => buried.get(seq) ?? []).sort((a, b) => a.seq - b.seq)
      for (const entry of found) {
        buried.delete(entry.seq)
        put(entry.queue, entry)
      }
      if (found.length > 0) countBuried()
      watchers.notify()
      return found.length
    },
    async forgetBuried(beforeMs) {
      const old = buriedOf(undefined).filter(({ buriedAtMs }) => buriedAtMs < beforeMs)
      for (const { seq } of old) buried.delete(seq)
      if (old.length > 0) countBuried()
      return old.length
    },
    watch: watchers.watch,
  }
}

function beginningOf<E extends LogEntry>(entry: E, { characters }: { characters?: number | undefined }): E {
  return characters === undefined ? entry : { ...entry, body: entry.body.slice(0, characters) }
}
