import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { hangsAfterMs } from '../../../../../testing/real-time.ts'
import { createRedisDirectory } from '../../../src/adapters/redis/directory.ts'
import type { RedisLink } from '../../../src/adapters/redis/link/link.ts'
import { openRedis } from '../../../src/adapters/redis/link/open-redis.ts'
import { createRedisLog } from '../../../src/adapters/redis/log/log.ts'
import { createRedisRecentDeliveries } from '../../../src/adapters/redis/recent/recent-deliveries.ts'
import { createRedisRecentReports } from '../../../src/adapters/redis/recent/recent-reports.ts'
import { createRedisReportFeed } from '../../../src/adapters/redis/recent/report-feed.ts'
import { createRedisRevocationFeed } from '../../../src/adapters/redis/revocation-feed.ts'
import { createRedisStore } from '../../../src/adapters/redis/store.ts'
import { directoryContract } from '../../../src/contracts/directory-contract.ts'
import { logContract } from '../../../src/contracts/log/log-contract.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { recentDeliveriesContract } from '../../../src/contracts/recent-deliveries-contract.ts'
import { recentReportsContract } from '../../../src/contracts/recent-reports-contract.ts'
import { revocationFeedContract } from '../../../src/contracts/revocation-feed-contract.ts'
import { storeContract } from '../../../src/contracts/store-contract.ts'
import { reportFeedFacts } from '../report-feed-facts.ts'
import { aRedisServer, type RedisServer, removeKeys, testWithRedis } from './redis-server.ts'

const logger = { info: () => {}, warn: () => {} }
let own: RedisServer | undefined
let url: string

beforeAll(async () => {
  const given = process.env.REDIS_URL
  if (given === undefined) own = await aRedisServer()
  url = given ?? own?.url ?? ''
})
afterAll(() => own?.stop())

/** A Redis from REDIS_URL may have any persistence. */
const durability = process.env.REDIS_URL === undefined ? 'always' : 'none'

async function aLink(prefix = `posrep-test-${randomUUID()}:`): Promise<RedisLink & { close(): Promise<void> }> {
  const { service, close } = await openRedis({
    url,
    durability,
    role: 'server',
    logger,
    prefix,
    answerMs: hangsAfterMs,
  })
  return { ...service, close }
}

/** Their own Redis ends with the tests. */
async function removeKeysOf({ prefix }: RedisLink): Promise<void> {
  if (!own) await removeKeys(url, prefix)
}

async function subject<P>(create: (link: RedisLink) => P) {
  const link = await aLink()
  const close = async () => {
    await link.close()
    await removeKeysOf(link)
  }
  return { port: create(link), close }
}

describe('redis store', () =>
  storeContract(testWithRedis, ({ clock }) => subject((link) => createRedisStore({ link, clock }))))
describe('redis directory', () =>
  directoryContract(testWithRedis, () => subject((link) => createRedisDirectory({ link }))))
describe('redis revocation feed', () =>
  revocationFeedContract(testWithRedis, ({ clock }) => subject((link) => createRedisRevocationFeed({ link, clock }))))
describe('redis report log', () =>
  logContract(testWithRedis, ({ clock }) => subject((link) => createRedisLog({ link, clock, name: 'report' }))))
describe('redis delivery log', () =>
  logContract(testWithRedis, ({ clock }) => subject((link) => createRedisLog({ link, clock, name: 'delivery' }))))
describe('redis air log', () =>
  logContract(testWithRedis, ({ clock }) => subject((link) => createRedisLog({ link, clock, name: 'air' }))))
describe('redis recent deliveries', () =>
  recentDeliveriesContract(testWithRedis, () => subject((link) => createRedisRecentDeliveries({ link }))))
describe('redis recent reports', () =>
  recentReportsContract(testWithRedis, () => subject((link) => createRedisRecentReports({ link }))))
describe('redis report feed beside a server', () =>
  reportFeedFacts(testWithRedis, async () => {
    const clock = createManualClock()
    const link = await aLink()
    const log = createRedisLog({ link, clock, name: 'report' })
    const tool = await aLink(link.prefix)
    return {
      log,
      recent: createRedisRecentReports({ link, reportLog: log }),
      openFeed: createRedisReportFeed({ link: tool, clock }),
      async close() {
        await Promise.all([link.close(), tool.close()])
        await removeKeysOf(link)
      },
    }
  }))

describe('redis for several processes', () => {
  testWithRedis('only one of many concurrent takers in two processes gets the value', async () => {
    const clock = createManualClock()
    const first = await aLink()
    const second = await aLink(first.prefix)
    const stores = [first, second].map((link) => createRedisStore({ link, clock }))

    await stores[0]?.put('key', 'once', 1_000)
    const taken = await Promise.all(Array.from({ length: 200 }, (_, n) => stores[n % 2]?.take('key')))

    expect(taken.filter((value) => value !== undefined)).toEqual(['once'])
    await Promise.all([first.close(), second.close()])
    await removeKeysOf(first)
  })

  testWithRedis('the clock of the process decides when a value expires, and Redis deletes it later', async () => {
    const clock = createManualClock()
    const { port: store, close } = await subject((link) => createRedisStore({ link, clock }))
    await store.put('short', 1, 0.5)
    await store.put('endless', 1, Number.POSITIVE_INFINITY)
    // Longer than the shortest time to live that Redis itself could keep.
    await store.get('nothing')

    expect(await store.get('short')).toBe(1)
    await clock.advance(1)
    expect(await store.get('short')).toBeUndefined()
    expect(await store.get('endless')).toBe(1)
    await close()
  })

  testWithRedis('a long list is read completely and in order, page by page', async () => {
    const { port: directory, close } = await subject((link) => createRedisDirectory({ link }))
    const accounts = Array.from({ length: 2_345 }, (_, n) => ({ id: `a${String(n).padStart(5, '0')}`, name: 'Acme' }))
    await directory.insertAll('account', accounts)

    expect(await directory.list('account')).toEqual(accounts)
    expect(await directory.list('account', { after: 'a00999', limit: 1_001 })).toEqual(accounts.slice(1_000, 2_001))
    await close()
  })

  testWithRedis('data of a newer version is refused, and a tool creates nothing in an empty Redis', async () => {
    const prefix = `posrep-test-${randomUUID()}:`
    await expect(openRedis({ url, durability, role: 'tool', logger, prefix, answerMs: hangsAfterMs })).rejects.toThrow(
      'has no data of a posrep-server',
    )
    const link = await aLink(prefix)
    await link.connection.run((client) => client.set(`${prefix}schema`, '99'))
    await link.close()

    await expect(aLink(prefix)).rejects.toThrow('written by a newer version (schema 99, expected 1)')
    await removeKeys(url, prefix)
  })

  testWithRedis('a running process reads and writes nothing after a newer version has taken over', async () => {
    const link = await aLink()
    const clock = createManualClock()
    const store = createRedisStore({ link, clock })
    const log = createRedisLog({ link, clock, name: 'report' })
    await store.put('kept', 1, 60_000)

    await link.connection.run((client) => client.set(`${link.prefix}schema`, '2'))
    const refused = { code: 'unavailable', cause: { message: expect.stringContaining('newer version') } }
    await expect(store.get('kept')).rejects.toMatchObject(refused)
    await expect(store.put('late', 1, 60_000)).rejects.toMatchObject(refused)
    await expect(log.append([{ queue: 'a', body: 'late' }])).rejects.toMatchObject(refused)

    await link.connection.run((client) => client.set(`${link.prefix}schema`, '1'))
    expect([await store.get('kept'), await store.get('late')]).toEqual([1, undefined])
    expect(await log.depth()).toMatchObject({ waiting: 0 })
    await link.close()
    await removeKeysOf(link)
  })
})

async function aRevocationFeed() {
  const clock = createManualClock()
  const link = await aLink()
  return {
    clock,
    feed: createRedisRevocationFeed({ link, clock }),
    count: (command: 'xLen' | 'zCard', key: string) =>
      link.connection.run((client) => client[command](`${link.prefix}${key}`)),
    async close() {
      await link.close()
      await removeKeysOf(link)
    },
  }
}

describe('the redis revocation feed', () => {
  testWithRedis('deletes expired revocations when new ones are announced', async () => {
    const { clock, feed, count, close } = await aRevocationFeed()
    for (let n = 0; n < 40; n++) await feed.announce({ subject: `token:${n}`, atMs: 1 }, 1_000)
    await clock.advance(1_000)
    for (let n = 0; n < 5; n++) await feed.announce({ subject: `family:${n}`, atMs: 1 }, 1_000)

    expect(await count('xLen', 'revocations')).toBe(5)
    expect((await feed.read('')).revocations.length).toBe(5)
    await close()
  })

  testWithRedis('deletes expired revocations also behind one that does not expire yet', async () => {
    const { clock, feed, count, close } = await aRevocationFeed()
    await feed.announce({ subject: 'user:pilot', atMs: 1 }, 100_000)
    for (let n = 0; n < 10; n++) await feed.announce({ subject: `token:${n}`, atMs: 1 }, 1_000)
    await clock.advance(1_000)
    await feed.announce({ subject: 'user:other', atMs: 1 }, 1_000)

    expect(await count('xLen', 'revocations')).toBe(2)
    await close()
  })

  testWithRedis('has one entry for a subject that is revoked again and again', async () => {
    const { feed, count, close } = await aRevocationFeed()
    for (let atMs = 1; atMs <= 40; atMs++) await feed.announce({ subject: 'user:pilot', atMs }, 100_000)

    expect([await count('xLen', 'revocations'), await count('zCard', 'revocations:expiries')]).toEqual([1, 1])
    expect((await feed.read('')).revocations).toEqual([{ subject: 'user:pilot', atMs: 40 }])
    await close()
  })

  testWithRedis('is read from the beginning when the cursor is after the newest entry', async () => {
    const clock = createManualClock()
    const { port: feed, close } = await subject((link) => createRedisRevocationFeed({ link, clock }))
    await feed.announce({ subject: 'user:pilot', atMs: 1 }, 1_000)

    const { revocations, cursor } = await feed.read('9999999999999-7')
    expect(revocations).toEqual([{ subject: 'user:pilot', atMs: 1 }])
    expect((await feed.read(cursor)).revocations).toEqual([])
    await close()
  })
})
