/**
 * A log over partitions, each a whole log in a part of a cluster. A queue belongs to one partition, so its order, its
 * leases and its bounds are those of the partition. This routes, merges and pages.
 * An append of several queues is one step in each partition. Limits of a client use the sums of `client-totals.ts`.
 */
import type { Clock } from '../../../ports/clock.ts'
import {
  type BuriedEntry,
  checkAppend,
  clientOf,
  fullLeaseSize,
  type Log,
  type LogBound,
  type LogDepth,
  type LogListOptions,
  type LogName,
  type NewEntry,
} from '../../../ports/storage/log.ts'
import type { RedisLink } from '../link/link.ts'
import type { RedisPubSub } from '../link/pub-sub.ts'
import { createAppendedEntries } from '../log/append-entries.ts'
import type { ReadyLease } from '../log/lease-queues.ts'
import { createRedisLog, type LogPartition, type RedisLog } from '../log/log.ts'
import { partitionOfSeq } from '../log/partition-seqs.ts'
import { partitionOf } from '../nodes/slots.ts'
import { createClientTotals } from './client-totals.ts'
import { createDuePartitions } from './due-partitions.ts'
import { settleSoon } from './settle-soon.ts'

export interface PartitionedLogOptions {
  /** Of the partitions, in their order. */
  links: RedisLink[]
  clock: Clock
  name: LogName
  pubSub?: RedisPubSub
}

/** Partitions that are asked for leases at once: each may answer with `fullLeaseSize`. */
const askedAtOnce = 16
/** A partition that failed is asked again after this time. */
const retryMs = 1_000

export function createPartitionedLog({ links, clock, name, pubSub }: PartitionedLogOptions): RedisLog {
  const count = links.length
  const appended = createAppendedEntries()
  /**
   * The highest local seq so far: new seqs are above it, so that entries of all partitions have about the order of
   * their appends.
   */
  let latest = 0
  const partitions = links.map((link, index) =>
    createRedisLog({
      ...{ link, clock, name, appended },
      ...(pubSub && { pubSub }),
      partition: { index, count },
      onSeq: (local) => (latest = Math.max(latest, local)),
      onClientBytes: (client, bytes) => totals.record(index, client, bytes),
    }),
  )
  const totals = createClientTotals({ partitions: partitions.map(({ bytesOfClients }) => bytesOfClients), clock })
  const due = createDuePartitions(count, clock)
  let isKnown = false
  /** The last error of each partition that has failed since it last answered. */
  const failures = new Map<number, unknown>()

  const indexOf = (queue: string) => partitionOf(queue, count)

  function at(index: number): LogPartition {
    const partition = partitions[index]
    if (!partition) throw new RangeError(`The log has no partition ${index}`)
    return partition
  }

  const of = (queue: string) => at(indexOf(queue))

  /** @param part Entries of one partition, and of one client if the bound has a limit for clients. */
  async function appendPart(index: number, part: NewEntry[], bound: LogBound, above: number): Promise<number> {
    const { bytesPerClient } = bound
    const [entry] = part
    const limits =
      bytesPerClient === undefined || !entry
        ? bound
        : { ...bound, bytesPerClient: await totals.toLimit(clientOf(entry.queue), index, bytesPerClient) }
    const { dropped } = await at(index).append(part, limits, { above })
    due.expect(index, clock.now())
    return dropped
  }

  /** Asks all partitions when their next queue is ready: the process does not know it at its start. */
  async function askWhenReady(options: Pick<Parameters<Log['lease']>[0], 'entries' | 'leaseMs'>): Promise<void> {
    isKnown = true
    const none: Answers = { leases: [], areComplete: false }
    await settleSoon(
      clock,
      partitions.map((_, index) => ask(index, { ...options, queues: 0 }, none)),
    )
  }

  /** Leases that come too late for the caller are given back. */
  async function ask(index: number, options: Parameters<Log['lease']>[0], answers: Answers): Promise<void> {
    due.begin(index)
    let nextReadyAtMs: number | undefined = clock.now() + retryMs
    try {
      const answer = await at(index).leaseReady(options)
      nextReadyAtMs = answer.nextReadyAtMs
      failures.delete(index)
      if (answers.areComplete) for (const lease of answer.leases) void giveBack(index, lease)
      else answers.leases.push(...answer.leases)
    } catch (error) {
      failures.set(index, error)
    } finally {
      due.end(index, nextReadyAtMs)
    }
  }

  async function giveBack(index: number, lease: ReadyLease): Promise<void> {
    // If this fails, the lease expires.
    await at(index)
      .settle(lease, { accepted: [] })
      .catch(() => {})
    due.expect(index, clock.now())
  }

  return {
    async append(entries, bound = {}) {
      checkAppend([], bound)
      const parts = new Map<string, { index: number; above: number; part: NewEntry[] }>()
      for (const [n, entry] of entries.entries()) {
        const index = indexOf(entry.queue)
        const key = bound.bytesPerClient === undefined ? `${index}` : `${index} ${clientOf(entry.queue)}`
        const found = parts.get(key)
        if (found) found.part.push(entry)
        else parts.set(key, { index, above: latest + n, part: [entry] })
      }
      // A partition checks its own entries. Of several, all are checked before the first is stored.
      if (parts.size > 1) checkAppend(entries)
      const dropped = await Promise.all(
        [...parts.values()].map(({ index, above, part }) => appendPart(index, part, bound, above)),
      )
      return { dropped: dropped.reduce((sum, one) => sum + one, 0) }
    },
    async lease({ queues, entries, leaseMs }) {
      if (!isKnown) await askWhenReady({ entries, leaseMs })
      const found: ReadyLease[] = []
      for (let size = 0; found.length < queues && size < fullLeaseSize; ) {
        const left = queues - found.length
        const wave = due.find().slice(0, Math.min(left, askedAtOnce))
        if (wave.length === 0) break
        const answers: Answers = { leases: [], areComplete: false }
        const options = { queues: Math.floor(left / wave.length), entries, leaseMs }
        await settleSoon(
          clock,
          wave.map((index) => ask(index, options, answers)),
        )
        answers.areComplete = true
        found.push(...answers.leases)
        size += answers.leases.reduce((sum, lease) => sum + lease.size, 0)
      }
      if (failures.size === count) throw [...failures.values()].at(-1)
      return found.sort(byReadiness)
    },
    async settle(lease, settlement) {
      const index = indexOf(lease.queue)
      const isSettled = await at(index).settle(lease, settlement)
      due.expect(index, settlement.retryAtMs ?? clock.now())
      return isSettled
    },
    async wake(queue) {
      await of(queue).wake(queue)
      due.expect(indexOf(queue), clock.now())
    },
    async depth(queue) {
      if (queue !== undefined) return of(queue).depth(queue)
      return (await Promise.all(partitions.map((partition) => partition.depth()))).reduce(addDepths)
    },
    bytesOfClient: (queue) => totals.find(clientOf(queue)),
    list: (queue, options) => of(queue).list(queue, options),
    async listBuried({ queue, ...options }) {
      if (queue !== undefined) return of(queue).listBuried({ queue, ...options })
      return listAllBuried(partitions, options)
    },
    oldestBuried: (queue, limit) => of(queue).oldestBuried(queue, limit),
    async unbury(seqs) {
      const parts = Map.groupBy(seqs, (seq) => partitionOfSeq(seq, count))
      try {
        const found = await Promise.all([...parts].map(([index, part]) => at(index).unbury(part)))
        return found.reduce((sum, one) => sum + one, 0)
      } finally {
        for (const index of parts.keys()) due.expect(index, clock.now())
      }
    },
    async forgetBuried(beforeMs) {
      const found = await Promise.all(partitions.map((partition) => partition.forgetBuried(beforeMs)))
      totals.invalidate()
      return found.reduce((sum, one) => sum + one, 0)
    },
    async forgetBuriedOf(queue, appendedBeforeMs) {
      const forgotten = await of(queue).forgetBuriedOf(queue, appendedBeforeMs)
      totals.invalidate()
      return forgotten
    },
    findName: (queue, seq) => of(queue).findName(queue, seq),
    watch(listener) {
      const stops = partitions.map((partition, index) =>
        partition.watch(() => {
          due.expect(index, clock.now())
          listener()
        }),
      )
      return () => {
        for (const stop of stops) stop()
      }
    },
  }
}

interface Answers {
  leases: ReadyLease[]
  /** True when the caller no longer waits for more. */
  areComplete: boolean
}

function byReadiness(a: ReadyLease, b: ReadyLease): number {
  return a.readyAtMs - b.readyAtMs || (a.queue < b.queue ? -1 : 1)
}

function addDepths(a: LogDepth, b: LogDepth): LogDepth {
  const times = [a, b].flatMap(({ oldestAppendedAtMs }) => oldestAppendedAtMs ?? [])
  return {
    waiting: a.waiting + b.waiting,
    buried: a.buried + b.buried,
    oldestAppendedAtMs: times.length === 0 ? null : Math.min(...times),
  }
}

/** Looks for the seqs first, because the bodies may be large. */
async function listAllBuried(partitions: LogPartition[], options: LogListOptions): Promise<BuriedEntry[]> {
  const heads = await Promise.all(partitions.map((one) => one.listBuried({ ...options, characters: 1 })))
  const listed = new Set(
    heads
      .flat()
      .map(({ seq }) => seq)
      .sort((a, b) => a - b)
      .slice(0, options.limit),
  )
  const found = await Promise.all(
    partitions.map((one, index) => {
      const limit = heads[index]?.filter(({ seq }) => listed.has(seq)).length ?? 0
      return limit === 0 ? [] : one.listBuried({ ...options, limit })
    }),
  )
  return found.flat().sort((a, b) => a.seq - b.seq)
}
