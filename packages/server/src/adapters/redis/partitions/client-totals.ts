/**
 * The bytes of each client in all partitions together. Each partition counts its own; they are summed in the background
 * while the client's devices append. Changes by this process are known at once, those by other processes after at most
 * a second.
 */
import { LRUCache } from 'lru-cache'
import { createBatch } from '../../../concurrency/batch.ts'
import type { Clock } from '../../../ports/clock.ts'
import { settleSoon } from './settle-soon.ts'

export interface ClientTotals {
  /** Of all partitions. A partition that cannot be read counts as before. */
  find(client: string): Promise<number>
  /** What a limit of the client leaves for one partition: the limit minus the bytes in the others, at least 1. */
  toLimit(client: string, partition: number, limit: number): Promise<number>
  /** Call it when the bytes of a client in a partition are known. */
  record(partition: number, client: string, bytes: number): void
  /** Call it after changes whose bytes are not known. */
  invalidate(): void
}

export interface ClientTotalsOptions {
  /** Reads the bytes of clients, of each partition. */
  partitions: ((clients: string[]) => Promise<number[]>)[]
  clock: Clock
}

interface Client {
  /** By partition. */
  bytes: Map<number, number>
  summedAtMs: number
  changes: number
  /** The sum that calls wait for. */
  summing?: Promise<void> | undefined
}

const sumEveryMs = 1_000
/** One script reads them. */
const maxClients = 1_000
/** Clients beyond this number are summed again when they are needed. */
const knownClients = 10_000

export function createClientTotals({ partitions, clock }: ClientTotalsOptions): ClientTotals {
  const clients = new LRUCache<string, Client>({ max: knownClients })
  let changes = 0

  /** Clients that are asked for during a run share the next one. */
  const sum = createBatch<string>({
    async run(names) {
      const unique = [...new Set(names)]
      await settleSoon(
        clock,
        partitions.map(async (read, partition) => {
          const found = await read(unique).catch(() => [])
          for (const [index, bytes] of found.entries()) record(partition, unique[index] ?? '', bytes)
        }),
      )
    },
    isSerial: true,
    maxCalls: maxClients,
  })

  function record(partition: number, name: string, bytes: number): void {
    clients.get(name)?.bytes.set(partition, Math.max(0, bytes))
  }

  /**
   * Waits for the sum if there is none yet, or only an invalid one. Otherwise an old sum is repeated in the background.
   */
  async function getClient(name: string): Promise<Client> {
    let client = clients.get(name)
    if (!client) {
      client = { bytes: new Map(), summedAtMs: Number.NEGATIVE_INFINITY, changes: -1 }
      clients.set(name, client)
    }
    const isInvalid = client.changes !== changes
    if (isInvalid || clock.now() - client.summedAtMs >= sumEveryMs) {
      const known = client
      known.changes = changes
      known.summedAtMs = clock.now()
      const summing = sum(name).finally(() => {
        if (known.summing === summing) known.summing = undefined
      })
      if (isInvalid) known.summing = summing
    }
    await client.summing
    return client
  }

  function total({ bytes }: Client): number {
    let all = 0
    for (const one of bytes.values()) all += one
    return all
  }

  return {
    find: async (name) => total(await getClient(name)),
    async toLimit(name, partition, limit) {
      const client = await getClient(name)
      return Math.max(1, limit - total(client) + (client.bytes.get(partition) ?? 0))
    },
    record,
    invalidate: () => void changes++,
  }
}
