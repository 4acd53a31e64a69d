/** What `posrep-server redis check` finds, on a real Redis and a real cluster. */
import { describe, expect } from 'vitest'
import { findFreePort } from '../../../../../../testing/free-port.ts'
import { hangsAfterMs } from '../../../../../../testing/real-time.ts'
import { toExpectedMemory } from '../../../../src/adapters/redis/deployment/expected-memory.ts'
import { findProblems, type Promised } from '../../../../src/adapters/redis/deployment/find-problems.ts'
import { readDeployment } from '../../../../src/adapters/redis/deployment/read-deployment.ts'
import { openRedis } from '../../../../src/adapters/redis/link/open-redis.ts'
import { aRedisCluster } from '../redis-cluster.ts'
import { aRedisServer, testWithRedisServer } from '../redis-server.ts'

const promised: Promised = { durability: 'always', replicas: 0, partitions: 64 }
const logger = { info() {}, warn() {} }

async function check(url: string, own: Partial<Promised> = {}): Promise<string[]> {
  const facts = await readDeployment({ url, partitions: 64 })
  return findProblems(facts, { ...promised, ...own })
}

describe('a check of one Redis', () => {
  testWithRedisServer('finds nothing to change where all is as the server needs it', async () => {
    const redis = await aRedisServer()
    await redis.command('CONFIG', 'SET', 'maxmemory', '100mb')

    expect(await check(redis.url)).toEqual([])
  })

  testWithRedisServer('names each setting to change, in one line', async () => {
    const redis = await aRedisServer({ settings: ['--save', ''] })
    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru')

    expect(await check(redis.url, { replicas: 1 })).toEqual([
      expect.stringContaining('set "maxmemory-policy noeviction" (now "allkeys-lru")'),
      expect.stringContaining('set "appendonly yes"'),
      expect.stringContaining('it has 0 replicas, and --redis-replicas 1 needs 1'),
      expect.stringContaining('set "maxmemory" below the memory of its machine'),
    ])
    expect(await check(redis.url, { durability: 'none' })).not.toContainEqual(expect.stringContaining('appendonly'))
  })

  testWithRedisServer('compares the memory that sensors will need with its limit', async () => {
    const redis = await aRedisServer()
    await redis.command('CONFIG', 'SET', 'maxmemory', '100mb')
    const expected = (sensors: number) =>
      toExpectedMemory({ sensors, windowMs: 3_600_000, maxReports: 10_000, maxBytes: 64 * 2 ** 20 })

    expect(await check(redis.url, { expectedBytes: expected(10) })).toEqual([])
    expect(await check(redis.url, { expectedBytes: expected(10_000) })).toEqual([
      expect.stringContaining('its data will need 12.3 GB, and "maxmemory" is 0.1 GB'),
    ])
  })

  testWithRedisServer(
    'names an address that does not answer, and a primary that loses writes with its failure',
    async () => {
      const [primary, replica] = await Promise.all([aRedisServer(), aRedisServer()])
      for (const { command } of [primary, replica]) await command('CONFIG', 'SET', 'maxmemory', '100mb')
      await replica.command('REPLICAOF', '127.0.0.1', String(primary.port))
      await expect
        .poll(async () => String(await primary.command('INFO', 'replication')))
        .toContain('connected_slaves:1')
      const nobody = await findFreePort()
      const url = `redis://127.0.0.1:${nobody},127.0.0.1:${primary.port},127.0.0.1:${replica.port}`

      expect(await check(url)).toEqual([
        expect.stringContaining(`127.0.0.1:${nobody} of --redis does not answer`),
        expect.stringContaining(
          `node 127.0.0.1:${primary.port}: its failure loses what its replicas have not received`,
        ),
      ])
      expect(await check(replica.url)).toContainEqual(expect.stringContaining('none of the addresses'))
    },
  )

  testWithRedisServer('says which commands a user may not run', async () => {
    const redis = await aRedisServer()
    await redis.command('CONFIG', 'SET', 'maxmemory', '100mb')
    await redis.command('ACL', 'SETUSER', 'app', 'on', '>secret', '~posrep:*', '&posrep:*', '+@all', '-wait', '-config')

    expect(await check(redis.url.replace('//', '//app:secret@'))).toEqual([
      expect.stringContaining('allow CONFIG GET'),
      expect.stringMatching(/a command that the server needs is refused \(NOPERM .*wait/i),
    ])
  })
})

describe('a check of a cluster', () => {
  testWithRedisServer(
    'finds nothing to change where all is as the server needs it, and where partitions are',
    async () => {
      const cluster = await aRedisCluster()
      for (const { command } of cluster.primaries) {
        await command('CONFIG', 'SET', 'maxmemory', '100mb')
      }
      await (
        await openRedis({ url: cluster.url, durability: 'always', role: 'server', logger, answerMs: hangsAfterMs })
      ).close()

      const facts = await readDeployment({ url: cluster.url, partitions: 64 })

      expect(findProblems(facts, promised)).toEqual([])
      expect(facts).toMatchObject({ isCluster: true, schema: '1', partitions: 64, unservedSlots: 0 })
      const primaries = facts.nodes.filter(({ isPrimary }) => isPrimary)
      expect(primaries.map(({ partitions }) => partitions).sort()).toEqual([21, 21, 22])
    },
  )

  testWithRedisServer('names what would stop partitions, and how to make them even', async () => {
    const cluster = await aRedisCluster()
    const [first, second, third] = cluster.primaries
    for (const { command } of cluster.primaries) await command('CONFIG', 'SET', 'maxmemory', '100mb')
    await (
      await openRedis({ url: cluster.url, durability: 'always', role: 'server', logger, answerMs: hangsAfterMs })
    ).close()
    await first?.command('CONFIG', 'SET', 'cluster-require-full-coverage', 'yes')
    await second?.command('CONFIG', 'SET', 'cluster-node-timeout', '15000')
    await third?.command('ACL', 'SETUSER', 'default', '-cluster|info')
    // Three partitions have no node: no other one has been told.
    const slots = Array.from({ length: 600 }, (_, n) => String(n))
    for (const { command } of cluster.primaries) await command('CLUSTER', 'DELSLOTS', ...slots).catch(() => {})

    expect(await check(cluster.url, { partitions: 32 })).toEqual(
      expect.arrayContaining(
        [
          'no node serves 600 of its slots',
          'start with --redis-partitions 64 (now 32)',
          'its primaries have from 19 to 22 of',
          `node 127.0.0.1:${first?.port}: the loss of one primary would stop all partitions`,
          `node 127.0.0.1:${second?.port}: a replica takes over after 15 s or more; set "cluster-node-timeout 5000"`,
          `node 127.0.0.1:${third?.port}: a command that the server needs is refused (NOPERM`,
        ].map((line) => expect.stringContaining(line)),
      ),
    )
  })

  testWithRedisServer('says that a user must be allowed to read the table of slots', async () => {
    const cluster = await aRedisCluster()
    const [first] = cluster.primaries
    await first?.command('ACL', 'SETUSER', 'default', '-cluster|slots')

    expect(await check(String(first?.url))).toContainEqual(
      expect.stringMatching(/its nodes cannot be read \(NOPERM .*\); allow CLUSTER SLOTS and CLUSTER INFO/),
    )
  })
})
