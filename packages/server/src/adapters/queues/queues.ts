/**
 * The queues of a log, one per device, in the memory of the process that owns the log: waiting entries and leases.
 * In: seqs and sizes of entries that are appended or removed. Out: leases on the heads of queues, and how many bytes
 * wait. The bodies are stored elsewhere.
 * Operations avoid reading all entries or a whole queue, because a million entries may wait.
 */
import { clientOf, type Lease, type LogDepth } from '../../ports/storage/log.ts'
import {
  firstAbove,
  lengthOf,
  noEntries,
  pushEntry,
  type QueuedEntry,
  type QueueEntries,
  removeEntries,
  seqAt,
  takeOldest,
  timeAt,
} from './queue-entries.ts'
import { createQueueHeap, type HeapItem } from './queue-heap.ts'

interface Client {
  /** Of all entries in the queues of the client. */
  bytes: number
}

interface Queue extends HeapItem, QueueEntries {
  name: string
  client: Client
  /** The fence of the current lease; 0 when there is none. */
  fence: number
  /** Whether the queue was woken while it was leased. */
  woken: boolean
}

export interface LeasedQueue {
  name: string
  fence: number
  entries: { seq: number; appendedAtMs: number }[]
}

export interface Queues {
  /** Appends an entry. Its seq must be higher than the seqs of all earlier entries. */
  append(name: string, entry: QueuedEntry, nowMs: number): void
  /**
   * Removes the oldest entries of a queue while it has more than `entries`, and until `bytes` are removed. Returns
   * their seqs.
   */
  trim(name: string, limit: { entries: number; bytes: number }): number[]
  lease(options: { queues: number; entries: number; leaseMs: number }, nowMs: number): LeasedQueue[]
  /** Whether this lease is still the latest lease of the queue. */
  isLeasedBy(lease: Pick<Lease, 'queue' | 'fence'>): boolean
  /** Whether the queue has no lease but must wait until it can be leased. */
  isCoolingDown(name: string, nowMs: number): boolean
  has(name: string, seq: number): boolean
  /** Of an entry that is in the queue. */
  appendedAtMs(name: string, seq: number): number
  /** Those of `seqs` that are in the queue, in the order of the queue. */
  presentIn(name: string, seqs: Iterable<number>): number[]
  /** Removes entries. A lease of the queue continues unless the queue is now empty. */
  remove(name: string, seqs: Iterable<number>): void
  /** Removes entries, and ends the lease if it is still the latest lease of the queue. */
  settle(lease: Pick<Lease, 'queue' | 'fence'>, gone: Iterable<number>, nowMs: number, retryAtMs?: number): void
  wake(name: string, nowMs: number): void
  /** How many entries wait, in one queue or in all queues, and when the oldest was appended. */
  depth(name?: string): Pick<LogDepth, 'waiting' | 'oldestAppendedAtMs'>
  /** The bytes of the waiting entries of a queue. */
  bytes(name: string): number
  /** The bytes of the waiting entries in all queues of the same client. */
  bytesOfClient(name: string): number
  seqs(name: string, options: { afterSeq?: number; limit: number }): number[]
  /** Removes all entries and ends all leases. */
  clear(): void
}

/**
 * Up to this many empty queues are kept for reuse: a new queue per entry would fill V8's old generation with garbage.
 */
const maxIdleQueues = 10_000

export function createQueues(): Queues {
  const byName = new Map<string, Queue>()
  const clients = new Map<string, Client>()
  const heap = createQueueHeap<Queue>()
  let waiting = 0
  let idle = 0
  let lastOrder = 0
  // All queues share one counter. Otherwise a queue that was emptied would assign the same fences again.
  let lastFence = 0
  let oldest: { queue: Queue; seq: number } | undefined

  function setReadyAt(queue: Queue, readyAtMs: number): void {
    queue.readyAtMs = readyAtMs
    queue.order = ++lastOrder
    heap.put(queue)
  }

  /** Removes entries of a queue, and counts them. */
  function taking<T>(queue: Queue, take: () => T): T {
    const [length, bytes] = [lengthOf(queue), queue.bytes]
    const taken = take()
    waiting -= length - lengthOf(queue)
    queue.client.bytes -= bytes - queue.bytes
    return taken
  }

  function remove(name: string, seqs: Iterable<number>): void {
    const queue = byName.get(name)
    if (!queue) return
    taking(queue, () => removeEntries(queue, new Set(seqs)))
    if (lengthOf(queue) === 0) retire(queue)
  }

  /** Takes an empty queue out of the heap and ends its lease. */
  function retire(queue: Queue): void {
    if (queue.index < 0) return
    heap.remove(queue)
    queue.fence = 0
    queue.readyAtMs = 0
    if (idle < maxIdleQueues) idle++
    else byName.delete(queue.name)
  }

  /** Returns the queue of this name and makes sure that it is in the heap. */
  function queueFor(name: string, nowMs: number): Queue {
    let queue = byName.get(name)
    if (queue && queue.index >= 0) return queue
    if (queue) idle--
    else {
      queue = toEmptyQueue(name, clientFor(clientOf(name)))
      byName.set(name, queue)
    }
    queue.woken = false
    setReadyAt(queue, nowMs)
    return queue
  }

  function clientFor(name: string): Client {
    let client = clients.get(name)
    if (!client) clients.set(name, (client = { bytes: 0 }))
    return client
  }

  /** The queue with the oldest entry. `oldest` caches it as long as that entry is at the head of its queue. */
  function findOldest(): Queue | undefined {
    if (
      oldest &&
      byName.get(oldest.queue.name) === oldest.queue &&
      seqAt(oldest.queue, oldest.queue.head) === oldest.seq
    ) {
      return oldest.queue
    }
    let found: Queue | undefined
    for (const queue of heap.queues()) if (!found || seqAt(queue, queue.head) < seqAt(found, found.head)) found = queue
    oldest = found && { queue: found, seq: seqAt(found, found.head) }
    return found
  }

  return {
    append(name, entry, nowMs) {
      const queue = queueFor(name, nowMs)
      pushEntry(queue, entry)
      queue.client.bytes += entry.bytes
      waiting++
    },
    trim(name, limit) {
      const queue = byName.get(name)
      return queue ? taking(queue, () => takeOldest(queue, limit)) : []
    },
    lease({ queues, entries, leaseMs }, nowMs) {
      const leases: LeasedQueue[] = []
      while (leases.length < queues) {
        const queue = heap.first()
        if (!queue || queue.readyAtMs > nowMs) break
        queue.fence = ++lastFence
        queue.woken = false
        setReadyAt(queue, nowMs + leaseMs)
        const leasedEntries: LeasedQueue['entries'] = []
        const end = Math.min(queue.head + entries, queue.seqs.length)
        for (let index = queue.head; index < end; index++) {
          leasedEntries.push({ seq: seqAt(queue, index), appendedAtMs: timeAt(queue, index) })
        }
        leases.push({ name: queue.name, fence: queue.fence, entries: leasedEntries })
      }
      return leases
    },
    isLeasedBy: ({ queue, fence }) => byName.get(queue)?.fence === fence,
    isCoolingDown(name, nowMs) {
      const queue = byName.get(name)
      return queue !== undefined && queue.fence === 0 && queue.readyAtMs > nowMs
    },
    has(name, seq) {
      const queue = byName.get(name)
      return queue !== undefined && queue.seqs[firstAbove(queue, seq - 1)] === seq
    },
    appendedAtMs(name, seq) {
      const queue = byName.get(name)
      return queue ? timeAt(queue, firstAbove(queue, seq - 1)) : 0
    },
    presentIn(name, seqs) {
      const queue = byName.get(name)
      const left = new Set(seqs)
      const found: number[] = []
      for (let index = queue?.head ?? 0; queue && index < queue.seqs.length && left.size > 0; index++) {
        const seq = seqAt(queue, index)
        if (left.delete(seq)) found.push(seq)
      }
      return found
    },
    remove,
    settle({ queue: name, fence }, gone, nowMs, retryAtMs = nowMs) {
      remove(name, gone)
      const queue = byName.get(name)
      if (queue?.fence !== fence) return
      queue.fence = 0
      setReadyAt(queue, queue.woken ? nowMs : retryAtMs)
    },
    wake(name, nowMs) {
      const queue = byName.get(name)
      if (!queue) return
      queue.woken = true
      // A leased queue stays leased until it is settled.
      if (queue.fence === 0 && queue.readyAtMs > nowMs) setReadyAt(queue, nowMs)
    },
    depth(name) {
      const queue = name === undefined ? findOldest() : byName.get(name)
      const oldestAppendedAtMs = queue && lengthOf(queue) > 0 ? timeAt(queue, queue.head) : null
      return { waiting: name === undefined ? waiting : queue ? lengthOf(queue) : 0, oldestAppendedAtMs }
    },
    bytes: (name) => byName.get(name)?.bytes ?? 0,
    bytesOfClient: (name) => clients.get(clientOf(name))?.bytes ?? 0,
    seqs(name, { afterSeq = 0, limit }) {
      const queue = byName.get(name)
      if (!queue) return []
      const from = firstAbove(queue, afterSeq)
      return queue.seqs.slice(from, from + limit)
    },
    clear() {
      for (const queue of byName.values()) if (queue.index >= 0) heap.remove(queue)
      byName.clear()
      clients.clear()
      waiting = 0
      idle = 0
      oldest = undefined
    },
  }
}

function toEmptyQueue(name: string, client: Client): Queue {
  return { name, client, ...noEntries(), fence: 0, woken: false, readyAtMs: 0, order: 0, index: -1 }
}
