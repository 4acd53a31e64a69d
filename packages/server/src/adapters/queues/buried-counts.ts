/**
 * How many entries of a log are buried, and their bytes, per queue and per client.
 * In: the counts of all queues, and each change. Out: the numbers that the log's bound and depth need.
 */
import { clientOf, type LogBound } from '../../ports/storage/log.ts'

export interface BuriedCount {
  queue: string
  buried: number
  bytes: number
}

export interface BuriedCounts {
  /** Replaces all counts. */
  set(counts: Iterable<BuriedCount>): void
  /** Adds to the counts of a queue; negative numbers for entries that are no longer buried. */
  add(change: BuriedCount): void
  /** The number of buried entries of a queue, or of all queues. */
  buried(queue?: string): number
  bytes(queue: string): number
  /** The bytes of the buried entries in all queues of the same client. */
  bytesOfClient(queue: string): number
}

export function createBuriedCounts(): BuriedCounts {
  let ofQueue = new Map<string, { buried: number; bytes: number }>()
  let ofClient = new Map<string, number>()
  let inAll = 0

  function add({ queue, buried, bytes }: BuriedCount): void {
    const before = ofQueue.get(queue) ?? { buried: 0, bytes: 0 }
    const after = { buried: before.buried + buried, bytes: before.bytes + bytes }
    if (after.buried === 0) ofQueue.delete(queue)
    else ofQueue.set(queue, after)
    const client = clientOf(queue)
    const ofAll = (ofClient.get(client) ?? 0) + bytes
    if (ofAll === 0) ofClient.delete(client)
    else ofClient.set(client, ofAll)
    inAll += buried
  }

  return {
    add,
    set(counts) {
      ofQueue = new Map()
      ofClient = new Map()
      inAll = 0
      for (const count of counts) add(count)
    },
    buried: (queue) => (queue === undefined ? inAll : (ofQueue.get(queue)?.buried ?? 0)),
    bytes: (queue) => ofQueue.get(queue)?.bytes ?? 0,
    bytesOfClient: (queue) => ofClient.get(clientOf(queue)) ?? 0,
  }
}

/** The bytes that a queue has too many, waiting and buried entries together. */
export function bytesBeyond(
  queue: string,
  { bytesPerQueue = Number.POSITIVE_INFINITY, bytesPerClient = Number.POSITIVE_INFINITY }: LogBound,
  counts: Pick<BuriedCounts, 'bytes' | 'bytesOfClient'>[],
): number {
  const sum = (bytes: (count: (typeof counts)[number]) => number) =>
    counts.reduce((all, count) => all + bytes(count), 0)
  const beyondQueue = sum((count) => count.bytes(queue)) - bytesPerQueue
  return Math.max(0, beyondQueue, sum((count) => count.bytesOfClient(queue)) - bytesPerClient)
}
