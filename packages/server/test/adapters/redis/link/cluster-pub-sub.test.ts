import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, vi } from 'vitest'
import { hangsAfterMs } from '../../../../../../testing/real-time.ts'
import { openRedisParts } from '../../../../src/adapters/redis/link/open-redis.ts'
import { openRedisPubSub } from '../../../../src/adapters/redis/link/pub-sub.ts'
import { createRedisLog } from '../../../../src/adapters/redis/log/log.ts'
import { createSystemClock } from '../../../../src/adapters/system-clock.ts'
import { aRedisCluster } from '../redis-cluster.ts'
import { testWithRedisServer } from '../redis-server.ts'

const logger = { info: () => {}, warn: () => {} }

async function aSubscriber() {
  const cluster = await aRedisCluster()
  const parts = await openRedisParts({
    url: cluster.url,
    prefix: `posrep-${randomUUID()}:`,
    partitions: 8,
    logger,
    answerMs: hangsAfterMs,
  })
  const pubSub = await openRedisPubSub({ parts, logger })
  onTestFinished(async () => {
    await Promise.all([pubSub.close(), parts.close()])
  })
  return { cluster, parts, pubSub }
}

testWithRedisServer('messages about work in each partition arrive, and none is sent to the other nodes', async () => {
  const { cluster, parts, pubSub } = await aSubscriber()
  const heard = new Set<string>()
  for (const { prefix } of parts.partitions) pubSub.watch(`${prefix}log:report:work`, () => heard.add(prefix))

  // A process that does not watch the log itself.
  const logs = parts.partitions.map((link) => createRedisLog({ link, clock: createSystemClock(), name: 'report' }))
  await vi.waitFor(async () => {
    for (const log of logs) await log.append([{ queue: 'a', body: '{}' }])
    expect([...heard].sort()).toEqual(parts.partitions.map(({ prefix }) => prefix).sort())
  })

  for (const { command } of cluster.primaries)
    expect(String(await command('CLUSTER', 'INFO'))).not.toMatch(/messages_publish(shard)?_sent/)
})

testWithRedisServer('messages of a partition arrive again after its slot has moved', async () => {
  const { cluster, parts, pubSub } = await aSubscriber()
  const [link] = parts.partitions
  const [from, to] = cluster.primaries
  if (!link || !from || !to) throw new Error('A cluster has partitions and nodes')
  const channel = 'log:report:work'
  let heard = 0
  pubSub.subscribe(`${link.prefix}${channel}`, () => heard++)
  const hear = async () => {
    await link.publish(channel, '').catch(() => {})
    expect(heard).toBeGreaterThan(0)
  }
  await vi.waitFor(hear)

  const slot = String(await from.command('CLUSTER', 'KEYSLOT', link.prefix))
  const id = String(await to.command('CLUSTER', 'MYID'))
  for (const node of [to, from, ...cluster.primaries.slice(2)])
    await node.command('CLUSTER', 'SETSLOT', slot, 'NODE', id)
  heard = 0
  await vi.waitFor(hear)
})
