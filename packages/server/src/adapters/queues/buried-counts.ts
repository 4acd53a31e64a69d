/**
 * How many entries of a log are buried, and their bytes, per queue and per client.
 * In: the counts of all queues, each time they have changed. Out: the numbers that the log's bound and depth need.
 */
import { clientOf, type LogBound } from '../../ports/storage/log.ts'

export interface BuriedCount {
  queue: string
  buried: number
  bytes: number
}

export interface BuriedCounts {
  /** Replaces all counts. A queue may be counted in parts. */
  set(counts: Iterable<BuriedCount>): void
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

  return {
    set(counts) {
      ofQueue = new Map()
      ofClient = new Map()
      inAll = 0
      for (const { queue, buried, bytes } of counts) {
        const before = ofQueue.get(queue) ?? { buried: 0, bytes: 0 }
        ofQueue.set(queue, { buried: before.buried + buried, bytes: before.bytes + bytes })
        const client = clientOf(queue)
        ofClient.set(client, (ofClient.get(client) ?? 0) + bytes)
        inAll += buried
      }
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
