/**
 * How many messages gave way because more was owed to a relay than is kept for one, for those who look after it.
 * In: each time it happens, which waits for nothing. Out: how many, since when. Counted per device and address, so that a
 * new address begins at none. Gathered for a second: a relay that stays away costs no write per report. A process that is
 * killed loses what it has gathered; no delivery depends on it.
 */
import { createHash } from 'node:crypto'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Meter } from '../ports/meter.ts'
import type { Store } from '../ports/store.ts'

export interface Dropped {
  deliveries: number
  firstAtMs: number
  lastAtMs: number
}

export interface DroppedDeliveries {
  note(deviceUrn: string, url: string, deliveries: number): void
  /** Resolves when everything that was noted is written. */
  stop(): Promise<void>
}

export interface DroppedDeliveriesOptions {
  store: Store
  clock: Clock
  meter: Pick<Meter, 'dropped'>
  logger: Pick<Logger, 'warn'>
}

const gatherMs = 1_000
/** After the last one; as long as what was buried is kept. */
const keepMs = 30 * 24 * 60 * 60_000

export function createDroppedDeliveries(options: DroppedDeliveriesOptions): DroppedDeliveries {
  const { store, clock, meter, logger } = options
  const stopping = new AbortController()
  let gathered = new Map<string, Dropped & { device: string }>()
  let writing: Promise<void> | undefined

  async function write(): Promise<void> {
    while (gathered.size > 0) {
      await clock.sleep(gatherMs, stopping.signal)
      const drops = [...gathered]
      gathered = new Map()
      await Promise.all(drops.map(([key, { device, ...dropped }]) => keep(key, device, dropped)))
    }
    writing = undefined
  }

  async function keep(key: string, device: string, dropped: Dropped): Promise<void> {
    const { deliveries } = dropped
    logger.warn({ device, deliveries }, 'deliveries dropped: more is owed to the relay than --relay-backlog')
    try {
      await add(key, dropped)
    } catch (error) {
      logger.warn({ err: error, device, deliveries }, 'dropped deliveries are not counted for their device')
    }
  }

  async function add(key: string, dropped: Dropped): Promise<void> {
    const current = await store.get<Dropped>(key)
    const next = current ? sum(current, dropped) : dropped
    // Another process drops deliveries of the same device.
    if (!(await store.replace(key, current, next, keepMs))) await add(key, dropped)
  }

  return {
    note(device, url, deliveries) {
      meter.dropped('delivery', deliveries)
      const key = toKey(device, url)
      const atMs = clock.now()
      const now = { deliveries, firstAtMs: atMs, lastAtMs: atMs }
      const earlier = gathered.get(key)
      gathered.set(key, { device, ...(earlier ? sum(earlier, now) : now) })
      writing ??= write()
    },
    async stop() {
      stopping.abort()
      await writing
    },
  }
}

export function findDropped(store: Pick<Store, 'get'>, deviceUrn: string, url: string): Promise<Dropped | undefined> {
  return store.get(toKey(deviceUrn, url))
}

function toKey(device: string, url: string): string {
  // An address may have 2,048 characters.
  return `dropped-deliveries:${device}:${createHash('sha256').update(url).digest('base64url')}`
}

function sum(one: Dropped, other: Dropped): Dropped {
  return {
    deliveries: one.deliveries + other.deliveries,
    firstAtMs: Math.min(one.firstAtMs, other.firstAtMs),
    lastAtMs: Math.max(one.lastAtMs, other.lastAtMs),
  }
}
