/**
 * Leases queues and settles their leases. Settlements that arrive together share one script call.
 * In: how much is wanted. Out: leases, with the bodies of their entries; and when the next queue can be leased.
 */
import type { Lease, Log, LogEntry, Settlement } from '../../../ports/storage/log.ts'
import { LazyEntry } from '../../lazy-entry.ts'
import { toNumbers, toRows } from '../link/reply.ts'
import { createScriptBatch } from '../link/script-batch.ts'
import type { AppendEntries } from './append-entries.ts'
import { createLeasedBodies } from './leased-bodies.ts'
import type { LogParts } from './log-parts.ts'
import { type Row, toBytes, toLeasedRows } from './log-rows.ts'
import { leaseScript, settleScript } from './log-scripts.ts'
import { toLocal } from './partition-seqs.ts'

export interface LeaseQueues {
  /** `nextReadyAtMs`: when the next queue can be leased; undefined when no queue has entries. */
  leaseReady(options: LeaseOptions): Promise<{ leases: ReadyLease[]; nextReadyAtMs: number | undefined }>
  settle(call: Settle): Promise<boolean>
  /** The name of an entry's body, if the body has its own key and this process has leased the entry. */
  findName(queue: string, seq: number): string | undefined
}

export interface ReadyLease extends Lease {
  /** The time from which the queue could be leased. */
  readyAtMs: number
}

export type LeaseOptions = Parameters<Log['lease']>[0]

interface Settle {
  lease: Pick<Lease, 'queue' | 'fence'>
  settlement: Settlement
}

export function createLeaseQueues({
  link,
  clock,
  keys,
  partition,
  bodies,
  watchers,
  recordClientBytes,
  appends,
}: LogParts & { appends: Pick<AppendEntries, 'latest' | 'take'> }): LeaseQueues {
  const leasedBodies = createLeasedBodies()

  /** Reads the bodies that are not in memory in one call. */
  async function toLeased(rows: Row[]): Promise<LogEntry[]> {
    const known = rows.map(appends.take)
    const read = await bodies.read(rows.filter(({ isNamed }, index) => isNamed && !known[index]?.body))
    return rows.map(({ seq, appendedAtMs, text, isNamed }, index) => {
      const { value, body } = known[index] ?? {}
      // A body is missing only if another process has settled the entry. This lease is then void, so '' is never used.
      if (isNamed) return new LazyEntry(seq, appendedAtMs, body ?? read.get(text) ?? '', value)
      return { seq, appendedAtMs, body: text, ...(value !== undefined && { value }) }
    })
  }

  return {
    async leaseReady({ queues, entries, leaseMs }) {
      const now = clock.now()
      // The wait for the latest append is short, because Redis answers in order.
      const before = appends.latest()
      const [found, nextReadyAt] = toRows(await link.run(leaseScript, keys, [now, now + leaseMs, queues, entries]))
      const leases = toRows(found).map((row) => toLeasedRows(row, partition))
      await before
      for (const lease of leases) leasedBodies.add(lease, lease.rows)
      const leased = await toLeased(leases.flatMap(({ rows }) => rows))
      let next = 0
      return {
        leases: leases.map(({ queue, fence, rows, readyAtMs }) => ({
          queue,
          fence,
          entries: leased.slice(next, (next += rows.length)),
          size: rows.reduce((sum, row) => sum + toBytes(row), 0),
          readyAtMs,
        })),
        nextReadyAtMs: nextReadyAt === '' ? undefined : Number(nextReadyAt),
      }
    },
    settle: createScriptBatch<Settle, boolean>({
      answerMs: link.answerMs,
      async run(calls, answerMs) {
        const now = clock.now()
        const args = calls.flatMap(({ lease: { queue, fence }, settlement }) => {
          const { buried = [], retryAtMs = now } = settlement
          const accepted = settlement.accepted.toSorted((a, b) => a - b)
          const reasons = buried.flatMap(({ seq, reason }) => [toLocal(seq, partition), reason])
          const known = leasedBodies.take({ queue, fence }, accepted)
          const ownKeys = known ? [1, ...known.sizes, known.names.length, ...known.names] : [0]
          const locals = accepted.map((seq) => toLocal(seq, partition))
          return [queue, fence, retryAtMs, locals.length, ...locals, buried.length, ...reasons, ...ownKeys]
        })
        const [settled, sums] = toRows(await link.run(settleScript, keys, [now, ...args], answerMs))
        recordClientBytes(sums)
        watchers.notify()
        return toNumbers(settled).map((one) => one === 1)
      },
      // The script reads the bodies of the entries that it buries.
      sizeOf: ({ lease: { queue }, settlement: { accepted, buried = [] } }) =>
        buried.reduce((sum, { seq }) => sum + 1_024 + (leasedBodies.findBytes(queue, seq) ?? 0), 16 * accepted.length),
    }),
    findName: leasedBodies.findName,
  }
}
