/** From one real Redis to a real cluster, through the ports of the server. */
import { beforeAll, beforeEach, describe, expect } from 'vitest'
import { hangsAfterMs } from '../../../../../../testing/real-time.ts'
import { type MigrateRedisOptions, migrateRedis } from '../../../../src/adapters/redis/migration/migrate-redis.ts'
import { openStorage } from '../../../../src/composition/storage/storage.ts'
import type { Storage } from '../../../../src/composition/storage/storage-ports.ts'
import { createManualClock } from '../../../../src/contracts/manual-clock.ts'
import type { DeviceRecord } from '../../../../src/ports/storage/directory.ts'
import type { RecentDelivery } from '../../../../src/ports/storage/recent-deliveries.ts'
import { resolveSettings } from '../../../../src/settings/resolve-settings.ts'
import { aRedisCluster, type RedisCluster } from '../redis-cluster.ts'
import { aRedisServer, isRedisWanted, type RedisServer, testWithRedisServer } from '../redis-server.ts'

const clock = createManualClock()
const logger = { info() {}, warn() {} }
const partitions = 64
const dayMs = 86_400_000
const devices = Array.from({ length: 40 }, (_, n) => `urn:aa:device:${n % 2 ? 'acme' : 'beta'}:roof${n}`)
/** This body has a key of its own. */
const large = JSON.stringify('x'.repeat(3_000))

function open(url: string): Promise<Storage> {
  const settings = resolveSettings({ flags: { redis: url }, environment: {} })
  return openStorage({ settings, clock, role: 'server', redisAnswerMs: hangsAfterMs })
}

function migrate(redis: RedisServer, own: Partial<MigrateRedisOptions> = {}) {
  return migrateRedis({
    ...{
      from: redis.url,
      to: cluster.url,
      durability: 'always',
      partitions,
      replicas: 0,
      logger,
      answerMs: hangsAfterMs,
    },
    ...own,
  })
}

async function use<T>(url: string, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await open(url)
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

let cluster: RedisCluster

beforeAll(async () => {
  if (isRedisWanted) cluster = await aRedisCluster()
})

beforeEach(() => cluster?.removeKeys('posrep:'))

describe('redis migrate', () => {
  testWithRedisServer('moves waiting and buried entries, in order, with their bounds and large bodies', async () => {
    const redis = await aRedisServer()
    const bodies = (device: string) => [`"1 of ${device}"`, large, `"3 of ${device} ü🛰"`]
    const before = await use(redis.url, async ({ reportLog, deliveryLog }) => {
      for (const log of [reportLog, deliveryLog]) {
        await log.append(devices.flatMap((queue) => bodies(queue).map((body) => ({ queue, body }))))
        // The last two of some queues are left, and the first is buried.
        for (const lease of await log.lease({ queues: 4, entries: 1, leaseMs: 1 })) {
          const [{ seq } = { seq: 0 }] = lease.entries
          await log.settle(lease, { accepted: [], buried: [{ seq, reason: 'refused' }], retryAtMs: clock.now() + 50 })
        }
      }
      // Leased by a server that was killed.
      await reportLog.lease({ queues: 1, entries: 1, leaseMs: 100 })
      return { depth: await reportLog.depth(), bytes: await reportLog.bytesOfClient(devices[0] ?? '') }
    })

    const counts = await migrate(redis)

    expect(counts.get('reports that wait')).toBe(before.depth.waiting)
    clock.advance(1_000)
    await use(cluster.url, async ({ reportLog, deliveryLog }) => {
      expect(await reportLog.depth()).toEqual(before.depth)
      expect(await reportLog.bytesOfClient(devices[0] ?? '')).toBe(before.bytes)
      for (const log of [reportLog, deliveryLog]) {
        const buried = await log.listBuried({ limit: 10 })
        expect(buried).toHaveLength(4)
        expect(buried[0]).toMatchObject({ reason: 'refused', body: expect.stringMatching(/^"1 of/) })
        await log.append(devices.map((queue) => ({ queue, body: '"new"' })))
        expect(await log.unbury(buried.map(({ seq }) => seq))).toBe(4)
        const leases = await log.lease({ queues: 100, entries: 10, leaseMs: 1_000 })
        expect(leases).toHaveLength(40)
        for (const { queue, entries } of leases) {
          const unburied = buried.some((entry) => entry.queue === queue)
          const all = bodies(queue)
          const expected = unburied ? [...all.slice(1), '"new"', all[0]] : [...all, '"new"']
          expect(entries.map(({ body }) => body)).toEqual(expected)
        }
        for (const lease of leases) {
          expect(await log.settle(lease, { accepted: lease.entries.map(({ seq }) => seq) })).toBe(true)
        }
        expect(await log.depth()).toEqual({ waiting: 0, buried: 0, oldestAppendedAtMs: null })
        expect(await log.bytesOfClient(devices[0] ?? '')).toBe(0)
      }
    })
  })

  testWithRedisServer('moves recent reports and deliveries, whose numbers stay those of their entries', async () => {
    const redis = await aRedisServer()
    const bound = { sinceMs: 0, limit: 10, maxBytes: 100_000, maxBytesOfClient: 1_000_000 }
    const before = await use(redis.url, async ({ reportLog, deliveryLog, recentReports, recentDeliveries }) => {
      for (const queue of devices) {
        await reportLog.append([{ queue, body: '"kept before the server stopped, and not settled"' }])
        const [{ seq } = { seq: 0 }] = await reportLog.list(queue, { limit: 1 })
        const recent = { seq, receivedAtMs: clock.now(), report: '"kept"', positions: 2, tags: ['a'] }
        await recentReports.append(queue, [recent], bound)
        await deliveryLog.append([{ queue, body: '"delivery"' }])
        const [delivery] = await deliveryLog.list(queue, { limit: 1 })
        await recentDeliveries.keep([
          aDelivery(queue, 'dl_test-message'),
          aDelivery(queue, `dl_${delivery?.seq}`, { state: 'buried' }),
        ])
      }
      const [device = ''] = devices
      return recentReports.metrics([device], 0)
    })

    await migrate(redis)

    await use(cluster.url, async ({ reportLog, deliveryLog, recentReports, recentDeliveries }) => {
      expect(await recentReports.metrics(devices.slice(0, 1), 0)).toEqual(before)
      for (const queue of devices) {
        const [waiting] = await reportLog.list(queue, { limit: 1 })
        const again = { seq: waiting?.seq ?? 0, receivedAtMs: clock.now(), report: '"again"', positions: 2, tags: [] }
        // The pipeline processes the report again, and finds that it is already kept.
        await recentReports.append(queue, [again], bound)
        const { entries } = await recentReports.list(queue, { sinceMs: 0, limit: 10 })
        expect(entries).toMatchObject([{ seq: waiting?.seq, report: '"kept"', tags: ['a'] }])
        const [delivery] = await deliveryLog.list(queue, { limit: 1 })
        expect(await recentDeliveries.list(queue)).toEqual([
          aDelivery(queue, `dl_${delivery?.seq}`, { state: 'buried' }),
          aDelivery(queue, 'dl_test-message'),
        ])
        expect((await recentDeliveries.find(queue, `dl_${delivery?.seq}`))?.state).toBe('buried')
      }
    })
  })

  testWithRedisServer('moves records, sessions and revocations, and the failures of a relay', async () => {
    const redis = await aRedisServer()
    const [device = ''] = devices
    const before = await use(redis.url, async ({ directory, store, revocationFeed, deliveryLog }) => {
      await directory.insert('account', { id: 'acme', name: 'Acme ü' })
      await directory.insertAll(
        'device',
        devices.map((id) => aDevice(id)),
      )
      for (let n = 0; n < 50; n++) await store.put(`session:${n}`, { user: `user ${n}` }, dayMs)
      await revocationFeed.announce({ subject: 'user:pilot', atMs: 5 }, dayMs)
      await deliveryLog.append([{ queue: device, body: '"delivery"' }])
      const [{ seq } = { seq: 0 }] = await deliveryLog.list(device, { limit: 1 })
      await store.put(`relay-failures:${device}`, { url: 'u', head: { seq, attemptCount: 3 }, next: null }, dayMs)
      return directory.list('device', { where: { index: 'account', equals: 'acme' } })
    })

    await migrate(redis)

    await use(cluster.url, async ({ directory, store, revocationFeed, deliveryLog }) => {
      expect(await directory.find('account', 'acme')).toEqual({ id: 'acme', name: 'Acme ü' })
      expect(await directory.list('device', { where: { index: 'account', equals: 'acme' } })).toEqual(before)
      expect(await directory.insert('device', aDevice(device, { id: 'urn:aa:device:acme:other' }))).toBe(false)
      for (let n = 0; n < 50; n++) expect(await store.take(`session:${n}`)).toEqual({ user: `user ${n}` })
      expect((await revocationFeed.read('')).revocations).toEqual([{ subject: 'user:pilot', atMs: 5 }])
      expect(await revocationFeed.find(['user:pilot'])).toEqual([{ subject: 'user:pilot', atMs: 5 }])
      const [{ seq } = { seq: 0 }] = await deliveryLog.list(device, { limit: 1 })
      expect(await store.get(`relay-failures:${device}`)).toMatchObject({ head: { seq, attemptCount: 3 } })
    })
    await expect(open(redis.url)).rejects.toThrow('its data was moved to a cluster by "redis migrate"')
    await expect(migrate(redis)).rejects.toThrow('was moved to another cluster before')
  })

  testWithRedisServer('refuses while a server works, and a cluster that has data, and changes nothing', async () => {
    const redis = await aRedisServer()
    await expect(migrate(redis)).rejects.toThrow('has no data of a posrep-server')
    await use(redis.url, async ({ store }) => {
      await store.put('session:1', 'first', dayMs)
      await expect(migrate(redis)).rejects.toThrow('1 servers work on this Redis; stop them first')
    })
    await use(cluster.url, ({ store }) => store.put('session:1', 'other', dayMs))

    await expect(migrate(redis)).rejects.toThrow('The cluster is not empty')
    await expect(migrate(redis, { from: cluster.url })).rejects.toThrow('only one Redis can be migrated')
    await expect(migrate(redis, { to: redis.url })).rejects.toThrow('is not a cluster')

    for (const [url, value] of [
      [redis.url, 'first'],
      [cluster.url, 'other'],
    ] as const) {
      expect(await use(url, ({ store }) => store.get('session:1'))).toBe(value)
    }
  })

  testWithRedisServer('that fails leaves the Redis as it was and no usable cluster, and begins again', async () => {
    const redis = await aRedisServer()
    await use(redis.url, async ({ store, reportLog }) => {
      await store.put('session:1', 'first', dayMs)
      await reportLog.append(devices.map((queue) => ({ queue, body: large })))
    })
    await redis.command('SET', 'posrep:mystery', 'of a newer version')

    await expect(migrate(redis)).rejects.toThrow('The key "posrep:mystery" is unknown')
    await expect(open(cluster.url)).rejects.toThrow('it has only a part of the data')
    expect(await use(redis.url, ({ store }) => store.get('session:1'))).toBe('first')

    await redis.command('DEL', 'posrep:mystery')
    // As after a run that was killed.
    await redis.command('SET', 'posrep:schema', 'moved')
    await migrate(redis)
    await use(cluster.url, async ({ store, reportLog }) => {
      expect(await store.get('session:1')).toBe('first')
      expect((await reportLog.depth()).waiting).toBe(devices.length)
    })
  })
})

function aDelivery(deviceUrn: string, id: string, own: Partial<RecentDelivery> = {}): RecentDelivery {
  return {
    ...{ deviceUrn, id, messageId: `message of ${id.replace(/\d+/, '')}`, state: 'delivered' },
    ...{ appendedAtMs: 1, endedAtMs: 2, positions: 1, attemptCount: 1, attempts: [], reason: null },
    ...{ message: '{}', isTruncated: false },
    ...own,
  }
}

function aDevice(id: string, own: Partial<DeviceRecord> = {}): DeviceRecord {
  return {
    ...{ id, accountId: 'acme', clientId: 'fleet', localId: id, name: '', tags: [], createdAtMs: 1, pairing: 'later' },
    ...{ storePositionReports: true, relay: null, blocked: false },
    ...own,
  }
}
