/**
 * What the entries of a log take in memory, and who has the most.
 * In: entries that come and leave, waiting or buried. Out: whether there is room, and the queues of the client with the
 * most bytes.
 */
import { freeShareOf } from '../../concurrency/free-share.ts'
import { bytesOf } from '../../ports/storage/entry-text.ts'
import { clientOf, type NewEntry } from '../../ports/storage/log.ts'

export interface LogRoom {
  /** @param bytes Of `costOf`; negative for an entry that leaves. */
  add(queue: string, bytes: number): void
  isOver(): boolean
  /** Whether this fits, and the client has not taken its share: one that is alone may have half. */
  fits(queue: string, bytes: number): boolean
  /** Of the client with the most bytes: the largest queue that is wanted. Default: any. */
  findLargest(isWanted?: (queue: string) => boolean): string | undefined
}

/** About what an entry takes besides its body: measured with short bodies. */
const ownBytes = 200
/** An entry with a value counts twice: the value takes at most as much memory as the text. */
const valueFactor = 2

/** About what an entry takes. */
export function costOf({ body, value }: Pick<NewEntry, 'body' | 'value'>): number {
  return ownBytes + bytesOf(body) * (value === undefined ? 1 : valueFactor)
}

interface Client {
  bytes: number
  queues: Map<string, number>
}

export function createLogRoom(totalBytes: number): LogRoom {
  const clients = new Map<string, Client>()
  let used = 0

  function largestClient(): Client | undefined {
    let largest: Client | undefined
    for (const client of clients.values()) if (!largest || client.bytes > largest.bytes) largest = client
    return largest
  }

  return {
    add(queue, bytes) {
      const name = clientOf(queue)
      const client = clients.get(name) ?? { bytes: 0, queues: new Map() }
      const ofQueue = (client.queues.get(queue) ?? 0) + bytes
      if (ofQueue === 0) client.queues.delete(queue)
      else client.queues.set(queue, ofQueue)
      client.bytes += bytes
      if (client.bytes === 0) clients.delete(name)
      else clients.set(name, client)
      used += bytes
    },
    isOver: () => used > totalBytes,
    fits(queue, bytes) {
      const own = clients.get(clientOf(queue))?.bytes ?? 0
      return used + bytes <= totalBytes && own < freeShareOf(totalBytes, used)
    },
    findLargest(isWanted = () => true) {
      let largest: string | undefined
      let most = 0
      for (const [queue, bytes] of largestClient()?.queues ?? []) {
        if (bytes <= most || !isWanted(queue)) continue
        largest = queue
        most = bytes
      }
      return largest
    },
  }
}
