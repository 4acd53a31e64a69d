/** `--redis-replicas 1`: a write counts once a replica has it. */
import { expect, onTestFinished, vi } from 'vitest'
import { type OpenRedisOptions, openRedis } from '../../../../src/adapters/redis/link/open-redis.ts'
import { createPartitionedLog } from '../../../../src/adapters/redis/partitions/partitioned-log.ts'
import { createRedisStore } from '../../../../src/adapters/redis/store.ts'
import { createSystemClock } from '../../../../src/adapters/system-clock.ts'
import { aRedisCluster } from '../redis-cluster.ts'
import { aRedisServer, testWithRedisServer } from '../redis-server.ts'

const logger = { info: () => {}, warn: () => {} }
const soon = { interval: 20 }
const clock = createSystemClock()

async function open(url: string, options: Partial<OpenRedisOptions> = {}) {
  const parts = await openRedis({ url, replicas: 1, durability: 'always', role: 'server', logger, ...options })
  onTestFinished(parts.close)
  return parts
}

testWithRedisServer('a write without a replica is refused, and a read is not', async () => {
  const redis = await aRedisServer()
  const store = createRedisStore({ link: (await open(redis.url)).service, clock })

  await expect(store.put('key', 1, 60_000)).rejects.toMatchObject({
    code: 'unavailable',
    cause: { message: '0 of 1 replicas have confirmed the write within 500 ms' },
  })
  expect(await store.get('nothing')).toBeUndefined()

  const replica = await aRedisServer()
  await redis.command('CONFIG', 'SET', 'repl-diskless-sync-delay', '0')
  await replica.command('REPLICAOF', '127.0.0.1', String(redis.port))
  await vi.waitFor(() => store.put('key', 2, 60_000), soon)
  expect(await store.get('key')).toBe(2)
})

testWithRedisServer('many writes at once share a few questions to the replicas', async () => {
  const [redis, replica] = [await aRedisServer(), await aRedisServer()]
  await redis.command('CONFIG', 'SET', 'repl-diskless-sync-delay', '0')
  await replica.command('REPLICAOF', '127.0.0.1', String(redis.port))
  const store = createRedisStore({ link: (await open(redis.url)).service, clock })
  await vi.waitFor(() => store.put('key', 0, 60_000), soon)
  await redis.command('CONFIG', 'RESETSTAT')

  await Promise.all(Array.from({ length: 500 }, (_, n) => store.put(`key${n}`, n, 60_000)))

  const [, calls] = /cmdstat_wait:calls=(\d+)/.exec(String(await redis.command('INFO', 'commandstats'))) ?? []
  expect(Number(calls)).toBeGreaterThan(0)
  expect(Number(calls)).toBeLessThan(50)
})

testWithRedisServer('no report that was accepted is lost with the primary that accepted it', async () => {
  const cluster = await aRedisCluster({ withReplicas: true })
  const parts = await open(cluster.url, { partitions: 6 })
  const log = createPartitionedLog({ links: parts.partitions, clock, name: 'report' })
  const accepted: string[] = []
  let isKilled = false
  const senders = Array.from({ length: 24 }, async (_, device) => {
    for (let n = 0; !isKilled; n++) {
      await log.append([{ queue: `device${device}`, body: `${n}` }])
      accepted.push(`device${device} ${n}`)
    }
  })

  const sending = Promise.allSettled(senders)
  await vi.waitFor(() => expect(accepted.length).toBeGreaterThan(500), soon)
  await cluster.primaries[0]?.kill()
  isKilled = true
  await sending

  const kept = new Set<string>()
  for (let device = 0; device < senders.length; device++) {
    const entries = await vi.waitFor(() => log.list(`device${device}`, { limit: 100_000 }), soon)
    for (const { body } of entries) kept.add(`device${device} ${body}`)
  }
  expect(accepted.filter((report) => !kept.has(report))).toEqual([])
})
