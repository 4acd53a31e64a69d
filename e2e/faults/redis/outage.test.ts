/**
 * Faults of a server's Redis: hung, killed, full, a replica. Requests are answered 503 (I6), no accepted report is lost
 * (I1), no refused report is delivered, and the server recovers (I10).
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../../testing/real-time.ts'
import { type RedisProcess, startRedis } from '../../parts/redis-process.ts'
import { describeWith } from '../../parts/requirements.ts'
import { fleet } from '../../parts/seed.ts'
import { aScene, type Scene } from '../a-scene.ts'

interface Fault {
  begin(redis: RedisProcess): Promise<unknown>
  end(redis: RedisProcess): Promise<unknown>
  /** Only writes fail; reads still work. */
  onlyWrites?: boolean
}

const faults: Record<string, Fault> = {
  hangs: { begin: (redis) => redis.hang(), end: async (redis) => redis.resume() },
  'is killed and comes back': { begin: (redis) => redis.kill(), end: (redis) => redis.restart() },
  'is full': {
    begin: (redis) => redis.command('CONFIG SET maxmemory 1'),
    end: (redis) => redis.command('CONFIG SET maxmemory 0'),
    onlyWrites: true,
  },
  'has become a replica': {
    begin: (redis) => redis.command('REPLICAOF 127.0.0.1 1'),
    end: (redis) => redis.command('REPLICAOF NO ONE'),
  },
  'has lost a required replica': {
    begin: (redis) => redis.command('CONFIG SET min-replicas-to-write 1'),
    end: (redis) => redis.command('CONFIG SET min-replicas-to-write 0'),
    onlyWrites: true,
  },
}

describeWith('redis-server', 'a Redis that fails')('I1, I6, I10: a server whose Redis', () => {
  const ends: (() => unknown)[] = []
  /** The numbers of the reports that were refused during a fault. One that is refused later may have been stored. */
  const refused: number[] = []
  let redis: RedisProcess
  let scene: Scene
  beforeAll(async () => {
    redis = await startRedis()
    ends.push(redis.stop)
    scene = await aScene({ flags: ['--redis', redis.url], atEnd: (step) => ends.push(step) })
  })
  afterAll(async () => {
    redis.resume()
    for (const end of ends.reverse()) await end()
  })

  test.each(Object.entries(faults))(
    '%s answers 503, and accepts reports again without a restart',
    async (_how, fault) => {
      const origin = `https://localhost:${scene.location.port}`
      expect((await scene.submit()).status).toBe(202)

      await fault.begin(redis)
      const before = scene.refused.length
      const form = {
        grant_type: 'client_credentials',
        client_id: fleet.id,
        client_secret: fleet.secret,
        device_id: 'roof2',
      }
      const answers = await Promise.all([
        scene.submit(),
        fetch(`${origin}/oauth/v2/token`, { method: 'POST', body: new URLSearchParams(form) }),
        ...(fault.onlyWrites
          ? []
          : [fetch(`${origin}/v1/pairing-tokens/consume-token?clientUniqueId=roof2`, { method: 'POST' })]),
        scene.submit(),
      ])
      refused.push(...scene.refused.slice(before))
      await fault.end(redis)

      expect(answers.map(({ status }) => status).filter((status) => status !== 503)).toEqual([])
      await until('reports are accepted again', async () => (await scene.submit()).status === 202)
    },
  )

  test('has delivered every accepted report through all faults, and no refused one', async () => {
    // Deliveries in progress when Redis failed wait until their lease expires.
    await scene.untilAllArrived()
    expect(refused).toHaveLength(2 * Object.keys(faults).length)
    expect(refused.filter((number) => scene.recorder.received('roof1').has(number))).toEqual([])
  })
})
