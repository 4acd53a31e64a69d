/**
 * Counts the deliveries that were dropped because a relay's queue was full, for the owner of the relay.
 * In: each drop. Out: the count and the times of the first and the last drop, per device and address, so that the count
 * of a new address starts at 0. The drops of a second are written together, so that an outage of a relay does not cause
 * a write per report. A process that is killed loses the drops of its last second; no delivery depends on them.
 */
import { createBatch } from '../../concurrency/batch.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import type { Meter } from '../../ports/meter.ts'
import { changeStored, type Store } from '../../ports/storage/store.ts'
import { hashSecret } from '../../secrets.ts'

export interface Dropped {
  deliveries: number
  firstAtMs: number
  lastAtMs: number
}

interface Drop {
  device: string
  url: string | undefined
  dropped: Dropped
}

export interface DroppedDeliveries {
  /** @param url The address of the relay, if the caller knows it. */
  record(deviceUrn: string, url: string | undefined, deliveries: number): void
  /** Writes all recorded drops at once. */
  stop(): Promise<void>
}

export interface DroppedDeliveriesOptions {
  store: Store
  clock: Clock
  /** The address of the device's relay. */
  findUrl(deviceUrn: string): Promise<string | undefined>
  meter: Pick<Meter, 'dropped'>
  logger: Pick<Logger, 'warn'>
}

const waitMs = 1_000
/** Counted from the last drop. Buried entries are kept for the same time. */
const keepMs = 30 * 24 * 60 * 60_000

export function createDroppedDeliveries(options: DroppedDeliveriesOptions): DroppedDeliveries {
  const { store, clock, findUrl, meter, logger } = options
  const stopping = new AbortController()
  const write = createBatch<Drop>({
    async run(drops) {
      const byRelay = Map.groupBy(drops, ({ device, url }) => `${device} ${url}`)
      await Promise.all([...byRelay.values()].map(keep))
    },
    wait: () => clock.sleep(waitMs, stopping.signal),
    isSerial: true,
  })
  let last = Promise.resolve()

  /** @param drops Of one device and address. */
  async function keep(drops: Drop[]): Promise<void> {
    const [{ device, url } = {}] = drops
    if (device === undefined) return
    const dropped = drops.map((drop) => drop.dropped).reduce(sum)
    const { deliveries } = dropped
    logger.warn(
      { device, deliveries },
      'deliveries dropped: more than --relay-backlog, --relay-backlog-mib or --client-mib allows, or the memory of --memory',
    )
    try {
      const address = url ?? (await findUrl(device))
      if (address === undefined) return
      const toNext = (current: Dropped | undefined) => (current ? sum(current, dropped) : dropped)
      await changeStored(store, toKey(device, address), toNext, keepMs)
    } catch (error) {
      logger.warn({ err: error, device, deliveries }, 'could not store how many deliveries were dropped')
    }
  }

  return {
    record(device, url, deliveries) {
      meter.dropped('delivery', deliveries)
      const atMs = clock.now()
      last = write({ device, url, dropped: { deliveries, firstAtMs: atMs, lastAtMs: atMs } })
    },
    async stop() {
      stopping.abort()
      await last
    },
  }
}

export function findDropped(store: Pick<Store, 'get'>, deviceUrn: string, url: string): Promise<Dropped | undefined> {
  return store.get(toKey(deviceUrn, url))
}

function toKey(device: string, url: string): string {
  // An address may have 2,048 characters; its hash has 43.
  return `dropped-deliveries:${device}:${hashSecret(url)}`
}

function sum(one: Dropped, other: Dropped): Dropped {
  return {
    deliveries: one.deliveries + other.deliveries,
    firstAtMs: Math.min(one.firstAtMs, other.firstAtMs),
    lastAtMs: Math.max(one.lastAtMs, other.lastAtMs),
  }
}
