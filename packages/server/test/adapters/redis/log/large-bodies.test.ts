import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { hangsAfterMs } from '../../../../../../testing/real-time.ts'
import type { RedisLink } from '../../../../src/adapters/redis/link/link.ts'
import { openRedisParts, type RedisParts } from '../../../../src/adapters/redis/link/open-redis.ts'
import { createRedisLog, type RedisLog } from '../../../../src/adapters/redis/log/log.ts'
import { createRedisRecentReports } from '../../../../src/adapters/redis/recent/recent-reports.ts'
import { createManualClock } from '../../../../src/contracts/manual-clock.ts'
import type { Lease } from '../../../../src/ports/storage/log.ts'
import type { RecentEntry } from '../../../../src/ports/storage/recent-reports.ts'
import { aRedisServer, type RedisServer, removeKeys, testWithRedis } from '../redis-server.ts'

const logger = { info: () => {}, warn: () => {} }
let own: RedisServer | undefined
let url: string

beforeAll(async () => {
  if (process.env.REDIS_URL === undefined) own = await aRedisServer()
  url = process.env.REDIS_URL ?? own?.url ?? ''
})
afterAll(() => own?.stop())

const bound = { sinceMs: 0, limit: 100, maxBytes: 64 * 1024 * 1024, maxBytesOfClient: 64 * 1024 * 1024 }
const all = { queues: 10, entries: 100, leaseMs: 60_000 }

testWithRedis('a large body is one value in Redis, and is deleted when its report is settled', async () => {
  const { log, bodies } = await aRedisLog()
  await log.append([{ queue: 'a', body: aBody(1), value: 'one' }])
  expect(await bodies()).toEqual([aBody(1)])

  const lease = await leaseOne(log)
  expect(lease.entries).toMatchObject([{ body: aBody(1), value: 'one' }])
  await log.settle(lease, { accepted: seqsOf(lease) })
  expect(await bodies()).toEqual([])
})

testWithRedis(
  'a lease that starts while an append is in flight gets the appended value and reads nothing back',
  async () => {
    const { log } = await aRedisLog()
    const appended = log.append([{ queue: 'a', body: aBody(1), value: 'one' }])
    // The append has been sent by then.
    await setImmediate()
    const lease = await leaseOne(log)

    expect(lease.entries[0]?.value).toBe('one')
    await appended
  },
)

testWithRedis(
  'a seq that Redis assigns again, after it lost its last writes, has the new body and no value',
  async () => {
    const { log, another, lose } = await aRedisLog()
    await log.append([{ queue: 'a', body: '"lost"', value: 'lost' }])
    await lose()
    await (await another()).append([{ queue: 'a', body: '"new"' }])

    const [entry] = (await leaseOne(log)).entries
    expect(entry).toMatchObject({ seq: 1, body: '"new"' })
    expect(entry?.value).toBeUndefined()
  },
)

testWithRedis('another process leases and settles a large body, which is then deleted', async () => {
  const { log, another, bodies } = await aRedisLog()
  await log.append([
    { queue: 'a', body: aBody(1) },
    { queue: 'a', body: '"small"' },
  ])

  const lease = await leaseOne(await another())
  expect(lease.entries.map(({ body }) => body)).toEqual([aBody(1), '"small"'])
  await (await another()).settle(lease, { accepted: seqsOf(lease) })
  expect(await bodies()).toEqual([])
})

testWithRedis('a large body that a settlement leaves in its queue is leased again', async () => {
  const { log } = await aRedisLog()
  await log.append([
    { queue: 'a', body: aBody(1) },
    { queue: 'a', body: aBody(2) },
  ])
  const lease = await leaseOne(log)
  await log.settle(lease, { accepted: seqsOf(lease).slice(0, 1) })

  expect((await leaseOne(log)).entries.map(({ body }) => body)).toEqual([aBody(2)])
})

testWithRedis(
  'a large body is buried, listed, unburied and leased unchanged, and is deleted with its buried entry',
  async () => {
    const { log, bodies } = await aRedisLog()
    await log.append([
      { queue: 'a', body: aBody(1) },
      { queue: 'a', body: aBody(2) },
    ])
    const lease = await leaseOne(log)
    const [first, second] = seqsOf(lease)
    const buried = [first, second].map((seq) => ({ seq: seq ?? 0, reason: 'broken' }))
    await log.settle(lease, { accepted: [], buried })

    const listed = await log.listBuried({ limit: 10 })
    expect(listed.map(({ body, reason }) => [body, reason])).toEqual([
      [aBody(1), 'broken'],
      [aBody(2), 'broken'],
    ])
    expect(await log.unbury([first ?? 0])).toBe(1)
    expect((await log.list('a', { limit: 10 })).map(({ body }) => body)).toEqual([aBody(1)])
    expect((await leaseOne(log)).entries.map(({ body }) => body)).toEqual([aBody(1)])
    expect(await log.forgetBuried(Number.MAX_SAFE_INTEGER)).toBe(1)
    expect(await bodies()).toEqual([aBody(1)])
  },
)

testWithRedis('large bodies that a bound drops are deleted', async () => {
  const { log, bodies } = await aRedisLog()
  for (const n of [1, 2, 3]) await log.append([{ queue: 'a', body: aBody(n) }], { perQueue: 2 })
  expect((await bodies()).toSorted()).toEqual([aBody(2), aBody(3)])
})

testWithRedis('an append that a script refuses leaves no large body', async () => {
  const { log, link, bodies } = await aRedisLog()
  await link.connection.run((client) => client.set(`${link.prefix}schema`, '99'))
  await expect(log.append([{ queue: 'a', body: aBody(1) }])).rejects.toMatchObject({ code: 'unavailable' })
  expect(await bodies()).toEqual([])
})

testWithRedis(
  'a large report becomes a recent report without a second transfer, and stays after it is settled',
  async () => {
    const { log, recent } = await aRedisLog()
    await log.append([{ queue: 'a', body: aBody(1) }])
    const lease = await leaseOne(log)
    await recent.append('a', withoutTexts(lease), bound)
    await log.settle(lease, { accepted: seqsOf(lease) })

    expect((await recent.list('a', bound)).entries).toMatchObject([{ report: aBody(1), positions: 2, tags: ['late'] }])
  },
)

testWithRedis('a large report that two processes store as recent is stored once', async () => {
  const { log, recent, another, recentOf, bodies } = await aRedisLog()
  await log.append([{ queue: 'a', body: aBody(1) }])
  const lease = await leaseOne(log)
  await recent.append('a', withoutTexts(lease), bound)
  await log.settle(lease, { accepted: [] })
  const other = await another()
  const again = await leaseOne(other)
  await recentOf(other).append('a', withoutTexts(again), bound)
  await other.settle(again, { accepted: seqsOf(again) })

  expect(await bodies()).toEqual([aBody(1)])
  expect((await recent.list('a', bound)).entries).toHaveLength(1)
})

testWithRedis(
  'recent reports beyond the bound, out of the window or swept are deleted with their large bodies',
  async () => {
    const { log, recent, bodies } = await aRedisLog()
    for (const n of [1, 2, 3, 4]) {
      await log.append([{ queue: 'a', body: aBody(n) }])
      const lease = await leaseOne(log)
      const entries = withoutTexts(lease, n * 60_000)
      await recent.append('a', entries, { ...bound, sinceMs: n === 4 ? 4 * 60_000 : 0, limit: n === 4 ? 100 : 1 })
      await log.settle(lease, { accepted: seqsOf(lease) })
      expect(await bodies()).toEqual([aBody(n)])
    }
    await recent.sweep(10 * 60_000)
    expect(await bodies()).toEqual([])
  },
)

testWithRedis(
  'a sweep deletes the large bodies of a device in several steps, between which others are served',
  async () => {
    const { client, prefix, link, bodies } = await aRedisLog()
    let calls = 0
    const run: RedisLink['run'] = (...call) => {
      calls++
      return link.run(...call)
    }
    const recent = createRedisRecentReports({ link: { ...link, run } })
    const device = 'urn:aa:device:a:many'
    await recent.append(device, [{ seq: 1, receivedAtMs: 1, report: '{}', positions: 1, tags: [] }], bound)
    const key = (name: string) => `${prefix}recent:${name}`
    for (let seq = 2; seq <= 3_000; seq++) {
      void client.xAdd(key(`reports:${device}`), `1-${seq}`, { at: '1', positions: '1', tags: '', name: `${seq}:10` })
      void client.set(key(`body:${seq}:10`), 'x'.repeat(10))
    }
    await client.hSet(key(`tally:${device}`), { named: 2_999, bytes: 29_992 })
    await client.hSet(key('client-bytes'), 'urn:aa:device:a', 29_992 + 5)
    calls = 0
    await recent.sweep(10 * 60_000)

    expect(calls).toBeGreaterThanOrEqual(3)
    expect(await bodies()).toEqual([])
    expect(await client.exists([key(`reports:${device}`), key(`tally:${device}`), key(`devices`)])).toBe(0)
    expect(await client.hGet(key('client-bytes'), 'urn:aa:device:a')).toBe('5')
  },
)

testWithRedis('small recent reports after a large one stay within the bound', async () => {
  const { log, recent, bodies } = await aRedisLog()
  const entry = { receivedAtMs: 60_000, positions: 1, tags: [] }
  await log.append([{ queue: 'a', body: aBody(1) }])
  const lease = await leaseOne(log)
  await recent.append('a', withoutTexts(lease), { ...bound, limit: 2 })
  await log.settle(lease, { accepted: seqsOf(lease) })
  for (const seq of [10, 11, 12]) {
    await recent.append('a', [{ ...entry, seq, report: `${seq}` }], { ...bound, limit: 2 })
  }

  expect((await recent.list('a', { sinceMs: 0, limit: 2 })).entries.map(({ report }) => report)).toEqual(['12', '11'])
  expect(await bodies()).toEqual([])
})

async function aRedisLog() {
  const prefix = `posrep-test-${randomUUID()}:`
  const clock = createManualClock()
  const parts: RedisParts[] = []
  const client = createClient({ url })
  await client.connect()
  const open = async () => {
    const opened = await openRedisParts({ url, logger, prefix, answerMs: hangsAfterMs })
    parts.push(opened)
    return opened.service
  }
  onTestFinished(async () => {
    await Promise.all(parts.map(({ close }) => close()))
    await client.close()
    await removeKeys(url, prefix)
  })
  const link = await open()
  const log = createRedisLog({ link, clock, name: 'report' })
  const recentOf = (reportLog: RedisLog) => createRedisRecentReports({ link, reportLog })
  return {
    client,
    prefix,
    link,
    log,
    recent: recentOf(log),
    recentOf,
    /** The same log in another process. */
    another: async () => createRedisLog({ link: await open(), clock, name: 'report' }),
    lose: () => removeKeys(url, prefix),
    async bodies() {
      const keys = await client.keys(`${prefix}*:body:*`)
      return Promise.all(keys.map((key) => client.get(key)))
    },
  }
}

function aBody(n: number): string {
  return JSON.stringify({ n, text: 'é'.repeat(5_000) })
}

async function leaseOne(log: RedisLog): Promise<Lease> {
  const [lease] = await log.lease(all)
  if (!lease) throw new Error('nothing to lease')
  return lease
}

function seqsOf({ entries }: Lease): number[] {
  return entries.map(({ seq }) => seq)
}

/** Entries whose text must not be read, because Redis has it already. */
function withoutTexts({ entries }: Lease, receivedAtMs = 60_000): RecentEntry[] {
  return entries.map(({ seq }) => ({
    seq,
    receivedAtMs,
    positions: 2,
    tags: ['late'],
    get report(): string {
      throw new Error('The text was read')
    },
  }))
}
