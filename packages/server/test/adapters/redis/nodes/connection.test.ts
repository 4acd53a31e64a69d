import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, vi } from 'vitest'
import { isOverBefore } from '../../../../../../testing/real-time.ts'
import type { RedisLink } from '../../../../src/adapters/redis/link/link.ts'
import { openRedis } from '../../../../src/adapters/redis/link/open-redis.ts'
import { createScript } from '../../../../src/adapters/redis/link/script.ts'
import { createRedisLog } from '../../../../src/adapters/redis/log/log.ts'
import { createRedisRecentReports } from '../../../../src/adapters/redis/recent/recent-reports.ts'
import { createRedisStore } from '../../../../src/adapters/redis/store.ts'
import { createManualClock } from '../../../../src/contracts/manual-clock.ts'
import type { Log } from '../../../../src/ports/storage/log.ts'
import type { RecentReports } from '../../../../src/ports/storage/recent-reports.ts'
import type { Store } from '../../../../src/ports/storage/store.ts'
import { aRedisServer, type RedisServer, testWithRedisServer } from '../redis-server.ts'

const logger = { info: () => {}, warn: () => {} }
const unavailable = { code: 'unavailable' }
const soon = { interval: 10 }
const minuteMs = 60_000
const aWrite = createScript(`return redis.call('SET', KEYS[1], 'written').ok`)
/** A call waits 2 s for Redis. Less than one wait, and less than two. */
const [oneWaitMs, twoWaitsMs] = [1_500, 3_500]
/** More than one. */
const blockedMs = 2_200

interface Scene {
  redis: RedisServer
  link: RedisLink
  store: Store
  log: Log
  deliveryLog: Log
  recentReports: RecentReports
}

/** Runs a test with a store that contains `kept` and a log with one entry, on a new Redis. */
function fact(name: string, body: (scene: Scene) => Promise<void>): void {
  testWithRedisServer(name, async () => {
    const redis = await aRedisServer()
    const { service: link, close } = await openRedis({ url: redis.url, durability: 'always', role: 'server', logger })
    const clock = createManualClock()
    const store = createRedisStore({ link, clock })
    const log = createRedisLog({ link, clock, name: 'report' })
    const deliveryLog = createRedisLog({ link, clock, name: 'delivery' })
    const recentReports = createRedisRecentReports({ link })
    await store.put('kept', 'value', minuteMs)
    await log.append([{ queue: 'a', body: 'kept' }])
    try {
      await body({ redis, link, store, log, deliveryLog, recentReports })
    } finally {
      await close()
      await redis.stop()
    }
  })
}

/** Every operation is refused; none reports that there is no value. */
async function expectAllRefused(store: Store): Promise<void> {
  await expect(store.get('kept')).rejects.toMatchObject(unavailable)
  await expect(store.put('late', 1, minuteMs)).rejects.toMatchObject(unavailable)
  await expect(store.take('kept')).rejects.toMatchObject(unavailable)
  await expect(store.replace('kept', 'other', 'late', minuteMs)).rejects.toMatchObject(unavailable)
  await expect(store.delete('nothing')).rejects.toMatchObject(unavailable)
}

/** The reason that Redis gave, from an `unavailable` error. */
function reasonOf(error: { cause: Error & { cause: Error } }): string {
  return error.cause.cause.message
}

describe('a redis that fails', () => {
  fact(
    'refuses calls while it is down, and serves all acknowledged writes when it runs again',
    async ({ redis, store }) => {
      await redis.kill()
      await expectAllRefused(store)

      await redis.start()
      await vi.waitFor(async () => expect(await store.get('kept')).toBe('value'), soon)
      expect(await store.get('late')).toBeUndefined()
    },
  )

  fact('refuses calls after one wait while it hangs, then at once, and does not write them later', async (scene) => {
    const { redis, store } = scene
    redis.hang()
    const hung = () =>
      Promise.all([
        expect(store.put('late', 1, minuteMs)).rejects.toMatchObject(unavailable),
        expect(store.take('kept')).rejects.toMatchObject(unavailable),
        expect(store.replace('kept', 'value', 'late', minuteMs)).rejects.toMatchObject(unavailable),
      ])
    let hasWaited = false
    const isSooner = isOverBefore(oneWaitMs, async () => {
      hasWaited = await isOverBefore(twoWaitsMs, hung)
    })
    expect([await isSooner, hasWaited]).toEqual([false, true])
    expect(await isOverBefore(oneWaitMs, () => expectAllRefused(store))).toBe(true)

    redis.resume()
    await vi.waitFor(async () => expect(await store.get('kept')).toBe('value'), soon)

    expect(await store.get('late')).toBeUndefined()
  })

  fact('answers a call in time when it goes on, also if another call has waited in vain', async ({ redis, link }) => {
    redis.hang()
    const hasWritten = link.run(aWrite, ['first'], [])
    await expect(link.run(aWrite, ['other'], [], 50)).rejects.toMatchObject(unavailable)
    redis.resume()

    expect(await hasWritten).toBe('OK')
    await vi.waitFor(async () => expect(await link.read(['first', 'other'])).toEqual(['written', undefined]), soon)
  })

  fact('has answered in time if its answer arrived while this process could not run', async ({ link, store }) => {
    await link.run(aWrite, ['before'], [])
    const hasWritten = link.run(aWrite, ['first'], [])
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blockedMs)

    expect(await hasWritten).toBe('OK')
    expect(await store.get('kept')).toBe('value')
  })

  fact('is asked again at once after a call that had little time left was late', async ({ redis, link, store }) => {
    redis.hang()
    await expect(link.run(aWrite, ['other'], [], 50)).rejects.toMatchObject(unavailable)
    redis.resume()

    expect(await store.get('kept')).toBe('value')
  })

  fact('refuses each of many concurrent calls after at most one wait while it hangs', async ({ redis, store }) => {
    redis.hang()
    let isRefusing = false
    const callers = Array.from({ length: 50 }, async () => {
      for (let call = 0; call < 100; call++) {
        const late = () => expect(store.put('late', 'x'.repeat(1_000), minuteMs)).rejects.toMatchObject(unavailable)
        expect(await isOverBefore(twoWaitsMs, late)).toBe(true)
        await new Promise(setImmediate)
      }
      isRefusing = true
    })
    // Calls that arrive one after another keep the connection busy, and do not lengthen the wait of the others.
    const arriving: Promise<boolean>[] = []
    const next = () => expect(store.get('kept')).rejects.toMatchObject(unavailable)
    while (!isRefusing) {
      arriving.push(isOverBefore(twoWaitsMs, next))
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await Promise.all(callers)
    expect(new Set(await Promise.all(arriving))).toEqual(new Set([true]))

    redis.resume()
    await vi.waitFor(async () => expect(await store.get('late')).toBeUndefined(), soon)
  })

  fact('refuses writes that need memory while its memory is full, and still serves reads', async ({ redis, store }) => {
    await redis.command('CONFIG', 'SET', 'maxmemory', '1')
    await expect(store.put('late', 1, minuteMs)).rejects.toMatchObject(unavailable)
    await expect(store.replace('kept', 'value', 'late', minuteMs)).rejects.toMatchObject(unavailable)
    expect(await store.get('kept')).toBe('value')
    expect(await store.take('kept')).toBe('value')

    await redis.command('CONFIG', 'SET', 'maxmemory', '0')
    await store.put('again', 1, minuteMs)
    expect(await store.get('late')).toBeUndefined()
  })

  fact('refuses reads and writes while it is a replica', async ({ redis, store }) => {
    await redis.command('REPLICAOF', '127.0.0.1', '1')
    await expectAllRefused(store)

    await redis.command('REPLICAOF', 'NO', 'ONE')
    await vi.waitFor(async () => expect(await store.get('kept')).toBe('value'), soon)
  })

  fact('refuses calls while it loads its data from disk', async ({ redis, store }) => {
    // Incompressible values in one snapshot: Redis answers between two values while it loads.
    const fill = () => store.put(randomUUID(), randomBytes(2_000).toString('base64'), minuteMs)
    await Promise.all(Array.from({ length: 100 }, fill))
    await redis.command('BGREWRITEAOF')
    const rewritten = async () => expect(await redis.command('INFO')).toContain('aof_rewrite_in_progress:0')
    await vi.waitFor(rewritten, { interval: 10 })
    await redis.kill()
    await redis.start('--key-load-delay', '50000', '--loading-process-events-interval-bytes', '1024')
    const reason = () => store.get('kept').catch(reasonOf)
    await vi.waitFor(async () => expect(await reason()).toContain('LOADING'), soon)
    await expectAllRefused(store)

    await redis.command('CONFIG', 'SET', 'key-load-delay', '0')
    await vi.waitFor(async () => expect(await store.get('kept')).toBe('value'), soon)
  })

  fact('is used again after it closed the connection', async ({ redis, store }) => {
    await redis.command('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    await vi.waitFor(async () => expect(await store.get('kept')).toBe('value'), soon)
  })
})

const leasing = { queues: 10, entries: 10, leaseMs: 30_000 }
const aRecent = { seq: 1, receivedAtMs: 1, report: '{}', positions: 1, tags: [] }
const bound = { sinceMs: 0, limit: 10, maxBytes: 1_000, maxBytesOfClient: 1_000 }

/** Every operation of a log or of recent reports is refused; none reports that there are no entries. */
async function expectLogsRefused({ log, deliveryLog, recentReports }: Scene): Promise<void> {
  const refusals = [
    log.append([{ queue: 'a', body: 'late' }]),
    deliveryLog.append([{ queue: 'a', body: 'late' }]),
    log.lease(leasing),
    log.settle({ queue: 'a', fence: 1 }, { accepted: [1] }),
    log.wake('a'),
    log.depth(),
    log.list('a', { limit: 10 }),
    log.listBuried({ limit: 10 }),
    log.unbury([1]),
    log.forgetBuried(1),
    recentReports.append('a', [aRecent], bound),
    recentReports.list('a', bound),
    recentReports.metrics(['a'], 0),
    recentReports.sweep(1),
  ]
  for (const refusal of await Promise.allSettled(refusals)) {
    expect(refusal).toMatchObject({ status: 'rejected', reason: unavailable })
  }
}

/** Redis serves again, and contains only the entry that was written before. */
async function expectOnlyKept({ log, deliveryLog, recentReports }: Scene): Promise<void> {
  await vi.waitFor(async () => expect(await log.list('a', { limit: 10 })).toMatchObject([{ body: 'kept' }]), soon)
  expect(await deliveryLog.depth()).toMatchObject({ waiting: 0 })
  expect((await recentReports.list('a', bound)).entries).toEqual([])
  expect((await log.lease(leasing)).map(({ entries }) => entries.length)).toEqual([1])
}

describe('logs on a redis that fails', () => {
  fact('refuse calls while it is down, and have all acknowledged entries when it runs again', async (scene) => {
    await scene.redis.kill()
    await expectLogsRefused(scene)
    await scene.redis.start()
    await expectOnlyKept(scene)
  })

  fact('refuse calls after one wait while it hangs, then at once, and do not write them later', async (scene) => {
    scene.redis.hang()
    let hasWaited = false
    const isSooner = isOverBefore(oneWaitMs, async () => {
      hasWaited = await isOverBefore(twoWaitsMs, () => expectLogsRefused(scene))
    })
    expect([await isSooner, hasWaited]).toEqual([false, true])
    expect(await isOverBefore(oneWaitMs, () => expectLogsRefused(scene))).toBe(true)
    scene.redis.resume()
    await expectOnlyKept(scene)
  })

  fact('refuse each of many appends after at most one wait while it hangs, whenever they are called', async (scene) => {
    const { redis, log } = scene
    redis.hang()
    const late = () => expect(log.append([{ queue: 'a', body: 'x'.repeat(10_000) }])).rejects.toMatchObject(unavailable)
    const inTime = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        await new Promise((resolve) => setTimeout(resolve, n * 50))
        return isOverBefore(twoWaitsMs, late)
      }),
    )
    expect(new Set(inTime)).toEqual(new Set([true]))
    redis.resume()
    await vi.waitFor(async () => expect((await log.depth()).waiting).toBe(1), soon)
  })

  fact('accept no new report while its memory is full, and still process accepted ones', async (scene) => {
    const { redis, log, deliveryLog, recentReports } = scene
    await redis.command('CONFIG', 'SET', 'maxmemory', '1')
    await expect(log.append([{ queue: 'a', body: 'late' }])).rejects.toMatchObject(unavailable)

    const [lease] = await log.lease(leasing)
    await recentReports.append('a', [aRecent], bound)
    await deliveryLog.append([{ queue: 'a', body: 'onward' }])
    expect(await log.settle(lease ?? { queue: '', fence: 0 }, { accepted: [lease?.entries[0]?.seq ?? 0] })).toBe(true)

    await redis.command('CONFIG', 'SET', 'maxmemory', '0')
    expect(await log.depth()).toMatchObject({ waiting: 0 })
    expect(await deliveryLog.depth()).toMatchObject({ waiting: 1 })
    await log.append([{ queue: 'a', body: 'again' }])
  })

  fact('refuse calls while it is a replica', async (scene) => {
    await scene.redis.command('REPLICAOF', '127.0.0.1', '1')
    await expectLogsRefused(scene)
    await scene.redis.command('REPLICAOF', 'NO', 'ONE')
    await vi.waitFor(() => scene.log.depth(), soon)
    await expectOnlyKept(scene)
  })

  fact('refuse calls while it cannot save to its disk', async (scene) => {
    await scene.redis.command('CONFIG', 'SET', 'save', '3600 1')
    // A folder with the name of the snapshot makes the save fail (MISCONF).
    await mkdir(join(scene.redis.folder, 'dump.rdb'))
    await scene.redis.command('BGSAVE')
    const failed = async () => expect(await scene.redis.command('INFO')).toContain('rdb_last_bgsave_status:err')
    await vi.waitFor(failed, { interval: 20 })
    await expectLogsRefused(scene)
    await rm(join(scene.redis.folder, 'dump.rdb'), { recursive: true })
    await scene.redis.command('BGSAVE')
    await vi.waitFor(async () => expect((await scene.log.depth()).waiting).toBe(1), { interval: 20 })
    await expectOnlyKept(scene)
  })

  fact('refuse calls while it requires a password that they do not have', async (scene) => {
    const { redis, log } = scene
    await redis.command('CONFIG', 'SET', 'requirepass', 'hush-hush')
    await redis.commandAs('hush-hush', 'CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    await vi.waitFor(async () => expectLogsRefused(scene), soon)
    await redis.commandAs('hush-hush', 'CONFIG', 'SET', 'requirepass', '')
    await vi.waitFor(async () => expect((await log.depth()).waiting).toBe(1), soon)
    await expectOnlyKept(scene)
  })

  fact('refuse calls while it loads its data from disk', async (scene) => {
    const { redis, log } = scene
    const body = () => randomBytes(2_000).toString('base64')
    await log.append(Array.from({ length: 100 }, (_, n) => ({ queue: `b${n}`, body: body() })))
    await redis.command('BGREWRITEAOF')
    const rewritten = async () => expect(await redis.command('INFO')).toContain('aof_rewrite_in_progress:0')
    await vi.waitFor(rewritten, { interval: 10 })
    await redis.kill()
    await redis.start('--key-load-delay', '50000', '--loading-process-events-interval-bytes', '1024')
    const reason = () => log.depth().catch(reasonOf)
    await vi.waitFor(async () => expect(await reason()).toContain('LOADING'), soon)
    await expectLogsRefused(scene)

    await redis.command('CONFIG', 'SET', 'key-load-delay', '0')
    await vi.waitFor(async () => expect((await log.depth()).waiting).toBe(101), soon)
  })
})
