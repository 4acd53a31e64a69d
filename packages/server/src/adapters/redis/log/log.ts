/**
 * `Log` in Redis: a stream per queue, and sorted sets and hashes for leases and fences.
 * Appending, leasing and the bodies of entries have files of their own; here are reading, burying, and who watches.
 */
import type { Clock } from '../../../ports/clock.ts'
import {
  buriedPortion,
  checkAppend,
  clientOf,
  type Log,
  type LogBound,
  type LogName,
  type NewEntry,
} from '../../../ports/storage/log.ts'
import { createWatchers } from '../../watchers.ts'
import type { RedisLink } from '../link/link.ts'
import { logPrefix } from '../link/log-prefix.ts'
import type { RedisPubSub } from '../link/pub-sub.ts'
import { toNumbers, toRows, toTexts } from '../link/reply.ts'
import type { Script } from '../link/script.ts'
import { type AppendedEntries, createAppendEntries, createAppendedEntries } from './append-entries.ts'
import {
  forgetBuriedOfScript,
  forgetBuriedScript,
  listBuriedScript,
  oldestBuriedScript,
  unburyScript,
} from './burial-scripts.ts'
import { createEntryBodies } from './entry-bodies.ts'
import { createLeaseQueues, type LeaseQueues } from './lease-queues.ts'
import type { LogParts } from './log-parts.ts'
import { toBuried, toRow } from './log-rows.ts'
import { bytesOfClientsScript, depthScript, listScript, wakeScript } from './log-scripts.ts'
import { onlyPartition, type Partition, toLocal, toLocalAfter, toSeq } from './partition-seqs.ts'

export type RedisLog = Log & Pick<LeaseQueues, 'findName'>

/** One partition of a log, or a log that has no others. */
export interface LogPartition extends RedisLog, Pick<LeaseQueues, 'leaseReady'> {
  /** @param options `above`: a local seq that the seqs of these entries are above. */
  append(entries: NewEntry[], bound?: LogBound, options?: { above?: number }): Promise<{ dropped: number }>
  /** The bytes of each client in this partition. */
  bytesOfClients(clients: string[]): Promise<number[]>
}

export interface RedisLogOptions {
  link: RedisLink
  clock: Clock
  /**
   * All except `report` come from reports that were already accepted, so they are appended even while memory is full.
   */
  name: LogName
  /** Messages of other processes. Default: none; entries of other processes are then found by polling. */
  pubSub?: RedisPubSub
  /** Default: the log has no others. */
  partition?: Partition
  /** Entries that this process appended and will probably lease itself; partitions of a log share it. */
  appended?: AppendedEntries
  /** Called with the local seq of each new entry that is the last one so far. */
  onSeq?(local: number): void
  /** Called with the bytes of a client in this partition, after each change by this process. */
  onClientBytes?(client: string, bytes: number): void
}

export function createRedisLog({
  link,
  clock,
  name,
  pubSub,
  partition = onlyPartition,
  appended = createAppendedEntries(),
  onSeq = () => {},
  onClientBytes = () => {},
}: RedisLogOptions): LogPartition {
  const watchers = createWatchers()
  const prefix = logPrefix(name)
  const keys: [string] = [prefix]
  const bodies = createEntryBodies(link, prefix)
  let watching = 0

  function recordClientBytes(reply: unknown): void {
    const sums = toTexts(reply)
    for (let n = 0; n < sums.length; n += 2) onClientBytes(sums[n] ?? '', Number(sums[n + 1]))
  }

  const parts: LogParts = { link, clock, name, keys, partition, bodies, watchers, recordClientBytes }
  const appends = createAppendEntries({ ...parts, appended, onSeq, isWatched: () => watching > 0 })
  const leases = createLeaseQueues({ ...parts, appends })

  /** Repeats the script until it has deleted everything. */
  async function forgetPortions(script: Script, args: (string | number)[]): Promise<number> {
    for (let forgotten = 0; ; ) {
      const now = Number(await link.run(script, keys, args))
      if (now === 0) return forgotten
      forgotten += now
    }
  }

  async function bytesOfClients(clients: string[]): Promise<number[]> {
    return toRows(await link.run(bytesOfClientsScript, keys, clients)).map(Number)
  }

  return {
    async append(entries, bound = {}, { above = 0 } = {}) {
      checkAppend(entries, bound)
      if (entries.length === 0) return { dropped: 0 }
      return { dropped: await appends.append({ entries, bound, above }) }
    },
    lease: async (options) => (await leases.leaseReady(options)).leases,
    leaseReady: leases.leaseReady,
    settle: (lease, settlement) => leases.settle({ lease, settlement }),
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
      const [bytes = 0] = await bytesOfClients([clientOf(queue)])
      return bytes
    },
    bytesOfClients,
    async list(queue, { afterSeq, limit, characters = '' }) {
      const found = await bodies.listPages(limit, afterSeq, async (after, most) => {
        const from = after === undefined ? '-' : `(${toLocalAfter(after, partition)}-0`
        const found = toRows(await link.run(listScript, keys, [queue, from, most, characters]))
        return found.map((row) => toRow(row, partition))
      })
      return found.map(({ seq, appendedAtMs, body }) => ({ seq, appendedAtMs, body }))
    },
    async listBuried({ queue = '', afterSeq, limit, characters = '' }) {
      const found = await bodies.listPages(limit, afterSeq, async (after, most) => {
        const from = after === undefined ? 0 : toLocalAfter(after, partition)
        const found = toRows(await link.run(listBuriedScript, keys, [queue, from, most, characters]))
        return found.map((row) => toBuried(row, partition))
      })
      return found.map(({ text: _, isNamed: __, ...entry }) => entry)
    },
    async oldestBuried(queue, limit) {
      const locals = toNumbers(await link.run(oldestBuriedScript, keys, [queue, limit]))
      return locals.map((local) => toSeq(local, partition))
    },
    async unbury(seqs) {
      let found = 0
      for (let next = 0; next < seqs.length; ) {
        const portion = seqs.slice(next, next + buriedPortion.entries).map((seq) => toLocal(seq, partition))
        const [unburied = 0, done = 0] = toNumbers(await link.run(unburyScript, keys, [clock.now(), ...portion]))
        next += done
        found += unburied
        watchers.notify()
      }
      return found
    },
    forgetBuried: (beforeMs) => forgetPortions(forgetBuriedScript, [beforeMs]),
    forgetBuriedOf: (queue, appendedBeforeMs) => forgetPortions(forgetBuriedOfScript, [queue, appendedBeforeMs]),
    findName: leases.findName,
    watch(listener) {
      const stops = [watchers.watch(listener), pubSub?.watch(`${link.prefix}${prefix}work`, listener)]
      watching++
      return () => {
        watching--
        for (const stop of stops) stop?.()
      }
    },
  }
}
