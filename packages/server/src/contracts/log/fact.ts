/** Helpers for the facts of a log contract: entries to append, and the content of a lease. */
import assert from 'node:assert/strict'
import type { Lease, Log } from '../../ports/storage/log.ts'
import type { ManualClock } from '../manual-clock.ts'

/** Registers a test with its name. Each test runs on a new log. */
export type LogFact = (name: string, body: (log: Log, options: { clock: ManualClock }) => Promise<void>) => void

export const options = { queues: 10, entries: 10, leaseMs: 10_000 }

export function bodies(leases: Lease[]): Record<string, string[]> {
  return Object.fromEntries(leases.map(({ queue, entries }) => [queue, entries.map(({ body }) => body)]))
}

export function inA(body: string): { queue: string; body: string } {
  return { queue: 'a', body }
}

export async function bury(log: Log, lease: Lease, reason: string): Promise<void> {
  await log.settle(lease, { accepted: [], buried: lease.entries.map(({ seq }) => ({ seq, reason })) })
}

export function only(leases: Lease[]): Lease {
  const [lease] = leases
  assert.ok(lease && leases.length === 1, `one lease expected, got ${leases.length}`)
  return lease
}

export function seqAt(lease: Lease, index: number): number {
  return lease.entries[index]?.seq ?? assert.fail(`no entry ${index}`)
}
