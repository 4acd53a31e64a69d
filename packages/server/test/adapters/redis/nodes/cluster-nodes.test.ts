/** A deployment on a Redis Cluster whose slots move, and whose nodes fail. */
import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { hangsAfterMs } from '../../../../../../testing/real-time.ts'
import { type OpenRedisOptions, openRedis, usualAnswerMs } from '../../../../src/adapters/redis/link/open-redis.ts'
import { openRedisPubSub } from '../../../../src/adapters/redis/link/pub-sub.ts'
import { partitionOf, slotOf, toTags } from '../../../../src/adapters/redis/nodes/slots.ts'
import { createPartitionedLog } from '../../../../src/adapters/redis/partitions/partitioned-log.ts'
import { findPartsAway } from '../../../../src/adapters/redis/partitions/parts-away.ts'
import { createRedisRelayChanges } from '../../../../src/adapters/redis/relay-changes.ts'
import { createSystemClock } from '../../../../src/adapters/system-clock.ts'
import type { Log } from '../../../../src/ports/storage/log.ts'
import { aRedisCluster, type RedisCluster } from '../redis-cluster.ts'
import { aRedisServer, type RedisServer, testWithRedisServer } from '../redis-server.ts'

const logger = { info: () => {}, warn: () => {} }
const unavailable = { code: 'unavailable' }
const soon = { interval: 20 }
const partitions = 12
const tags = toTags(partitions)

/** A queue of each partition, in their order. */
const queues = tags.map((_, index) => {
  for (let n = 0; ; n++) if (partitionOf(`queue${n}`, partitions) === index) return `queue${n}`
})

async function aProcess(cluster: Pick<RedisCluster, 'url'>, options: Partial<OpenRedisOptions> = {}) {
  const parts = await openRedis({
    url: cluster.url,
    partitions,
    durability: 'always',
    role: 'server',
    logger,
    answerMs: hangsAfterMs,
    ...options,
  })
  onTestFinished(parts.close)
  return { parts, log: createPartitionedLog({ links: parts.partitions, clock: createSystemClock(), name: 'report' }) }
}

/** The index of the primary that serves the partition, of three with equal shares. */
const primaryOf = (partition: number) => Math.floor((slotOf(tags[partition] ?? '') * 3) / 16_384)

async function leaseAll(log: Log): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  const leases = await log.lease({ queues: 100, entries: 10, leaseMs: 60_000 })
  for (const { queue, entries } of leases) found[queue] = entries.map(({ body }) => body)
  return found
}

function countBy(names: string[], toIndex: (name: string) => number): number[] {
  return [...Map.groupBy(names, toIndex).values()].map(({ length }) => length)
}

describe('partitions', () => {
  test('are spread evenly over three primaries, and a device stays in its partition', () => {
    const counts = countBy(toTags(64), (tag) => Math.floor((slotOf(tag) * 3) / 16_384))

    expect(counts.toSorted()).toEqual([21, 21, 22])
    expect(slotOf('123456789')).toBe(0x31c3)
    expect(partitionOf('urn:aa:device:acme:roof-1', 64)).toBe(6)
    expect(partitionOf('urn:aa:device:acme:roof-1', 1)).toBe(0)
  })

  test('get equal shares of devices with numbered names', () => {
    const devices = Array.from({ length: 64_000 }, (_, n) => `urn:aa:device:acme:roof-${n}`)
    const counts = countBy(devices, (device) => partitionOf(device, 64))

    expect(counts).toHaveLength(64)
    expect(Math.min(...counts)).toBeGreaterThan(850)
    expect(Math.max(...counts)).toBeLessThan(1_150)
  })
})

describe('a cluster', () => {
  testWithRedisServer('is known by any of its nodes, and keeps its number of partitions', async () => {
    const cluster = await aRedisCluster()
    const one = { url: `redis://127.0.0.1:${cluster.primaries[2]?.port}` }
    const { log } = await aProcess(one)
    for (const queue of queues) await log.append([{ queue, body: 'x' }])

    expect(Object.keys(await leaseAll(log)).sort()).toEqual([...queues].sort())
    await expect(aProcess(cluster, { partitions: 13 })).rejects.toThrow(
      'its data has 12 partitions, which cannot be changed; start with --redis-partitions 12 (now 13)',
    )
    await expect(aProcess({ url: `${one.url}/1` })).rejects.toThrow('SELECT is not allowed in cluster mode')
  })

  testWithRedisServer('refuses the partition whose slot moves, and no other, until it has moved', async () => {
    const cluster = await aRedisCluster()
    const { log } = await aProcess(cluster)
    for (const queue of queues) await log.append([{ queue, body: '1' }])
    const slot = String(slotOf(tags[0] ?? ''))
    const [from, to] = [cluster.primaries[0], cluster.primaries[1]] as [RedisServer, RedisServer]
    const idOf = async (server: RedisServer) => String(await server.command('CLUSTER', 'MYID'))
    const [fromId, toId] = [await idOf(from), await idOf(to)]
    const append = (index: number) => log.append([{ queue: queues[index] ?? '', body: '2' }])

    await to.command('CLUSTER', 'SETSLOT', slot, 'IMPORTING', fromId)
    await from.command('CLUSTER', 'SETSLOT', slot, 'MIGRATING', toId)
    // A list of key names.
    const keys = (await from.command('CLUSTER', 'GETKEYSINSLOT', slot, '100')) as string[]
    for (const [n, key] of keys.entries()) {
      await expect(append(0)).rejects.toMatchObject(unavailable)
      await append(1 + (n % 3))
      await from.command('MIGRATE', '127.0.0.1', String(to.port), key, '0', '1000')
    }
    for (const server of [to, from]) await server.command('CLUSTER', 'SETSLOT', slot, 'NODE', toId)

    await append(0)
    expect((await leaseAll(log))[queues[0] ?? '']).toEqual(['1', '2'])
  })

  testWithRedisServer(
    'refuses only the partitions of a node that is killed, until its replica takes over',
    async () => {
      const cluster = await aRedisCluster({ withReplicas: true })
      const { log } = await aProcess(cluster)
      for (const queue of queues) await log.append([{ queue, body: '1' }])

      await cluster.primaries[2]?.kill()
      const results = await Promise.allSettled(queues.map((queue) => log.append([{ queue, body: '2' }])))
      expect(results.map(({ status }) => status)).toEqual(
        queues.map((_, index) => (primaryOf(index) === 2 ? 'rejected' : 'fulfilled')),
      )
      const lost = queues.filter((_, index) => primaryOf(index) === 2)
      for (const queue of lost) await vi.waitFor(() => log.append([{ queue, body: '3' }]), soon)

      const leased: Record<string, string[]> = {}
      await vi.waitFor(async () => {
        Object.assign(leased, await leaseAll(log))
        expect(Object.keys(leased).sort()).toEqual([...queues].sort())
      }, soon)
      for (const queue of queues) expect(leased[queue]).toEqual(lost.includes(queue) ? ['1', '3'] : ['1', '2'])
    },
  )

  testWithRedisServer('leases from other partitions while a node hangs', async () => {
    const cluster = await aRedisCluster()
    const { log, parts } = await aProcess(cluster, { answerMs: usualAnswerMs.server })
    for (const queue of queues) await log.append([{ queue, body: '1' }])

    cluster.primaries[2]?.hang()
    const leased = await leaseAll(log)
    const away = await findPartsAway(parts)
    cluster.primaries[2]?.resume()

    const count = queues.filter((_, index) => primaryOf(index) === 2).length
    expect(away).toEqual({ service: false, partitions: count, of: partitions })

    expect(Object.keys(leased).sort()).toEqual(queues.filter((_, index) => primaryOf(index) !== 2).sort())
  })

  testWithRedisServer('tells all processes of a change of a relay', async () => {
    const cluster = await aRedisCluster()
    const heard: string[] = []
    const processes = await Promise.all(
      [1, 2].map(async (n) => {
        const { parts } = await aProcess(cluster, { prefix: 'posrep:' })
        const pubSub = await openRedisPubSub({ parts, logger })
        onTestFinished(pubSub.close)
        const changes = createRedisRelayChanges({ link: parts.service, pubSub })
        changes.listen((queue) => heard.push(`${n} ${queue}`))
        return changes
      }),
    )

    await processes[0]?.announce('urn:aa:device:acme:1')

    expect(heard.sort()).toEqual(['1 urn:aa:device:acme:1', '2 urn:aa:device:acme:1'])
  })
})

testWithRedisServer('the primary is found among several addresses of one Redis and its replica', async () => {
  const [primary, replica] = [await aRedisServer(), await aRedisServer()]
  await replica.command('REPLICAOF', '127.0.0.1', String(primary.port))

  const { service, close } = await openRedis({
    url: `redis://127.0.0.1:${replica.port},127.0.0.1:${primary.port}`,
    durability: 'always',
    role: 'server',
    logger,
    prefix: `posrep-test-${randomUUID()}:`,
    answerMs: hangsAfterMs,
  })

  expect(await service.publish('channel', 'message')).toBe(0)
  expect(String(await primary.command('INFO', 'commandstats'))).toMatch(/cmdstat_s?publish/)
  await close()
})
