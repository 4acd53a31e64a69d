/**
 * The Redis under a server: hung, killed, full, a replica. Each is 503 in time (I6), nothing accepted is lost (I1), what
 * was refused does not come later, and the server goes on by itself (I10).
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../parts.ts'
import { type RedisProcess, startRedis } from '../redis-process.ts'
import { fleet } from '../seed.ts'
import { until } from '../until.ts'
import { aScene, type Scene } from './a-scene.ts'

/** A Redis that does not answer is given up after two seconds. */
const latestMs = 2_500
/** From the end of the fault until reports are taken again. */
const backWithinMs = 5_000

interface Fault {
  begin(redis: RedisProcess): Promise<unknown>
  end(redis: RedisProcess): Promise<unknown>
  /** It still reads. */
  onlyWrites?: boolean
}

const faults: Record<string, Fault> = {
  hangs: { begin: async (redis) => redis.hang(), end: async (redis) => redis.goOn() },
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
  'misses a replica that it has to have': {
    begin: (redis) => redis.command('CONFIG SET min-replicas-to-write 1'),
    end: (redis) => redis.command('CONFIG SET min-replicas-to-write 0'),
    onlyWrites: true,
  },
}

describeWith('redis-server', 'a Redis that fails')('I1, I6, I10: a server whose Redis', () => {
  const ends: (() => unknown)[] = []
  let redis: RedisProcess
  let scene: Scene
  beforeAll(async () => {
    redis = await startRedis()
    ends.push(redis.stop)
    scene = await aScene({ flags: ['--redis', redis.url], atEnd: (step) => ends.push(step) })
  })
  afterAll(async () => {
    redis.goOn()
    for (const end of ends.reverse()) await end()
  })

  async function timed(what: Promise<Response>): Promise<{ status: number; tookMs: number }> {
    const startedAtMs = performance.now()
    const { status } = await what
    return { status, tookMs: performance.now() - startedAtMs }
  }

  test.each(Object.entries(faults))(
    '%s answers 503 in time, and takes reports again by itself',
    async (_how, fault) => {
      const origin = `https://localhost:${scene.place.port}`
      expect((await scene.submit()).status).toBe(202)

      await fault.begin(redis)
      const form = {
        grant_type: 'client_credentials',
        client_id: fleet.id,
        client_secret: fleet.secret,
        device_id: 'roof2',
      }
      const answers = await Promise.all([
        scene.submit(),
        timed(fetch(`${origin}/oauth/v2/token`, { method: 'POST', body: new URLSearchParams(form) })),
        ...(fault.onlyWrites
          ? []
          : [timed(fetch(`${origin}/v1/pairing-tokens/consume-token?clientUniqueId=roof2`, { method: 'POST' }))]),
        scene.submit(),
      ])
      await fault.end(redis)
      const endedAtMs = performance.now()

      expect(answers.map(({ status }) => status).filter((status) => status !== 503)).toEqual([])
      expect(Math.max(...answers.map(({ tookMs }) => tookMs))).toBeLessThan(latestMs)
      await until('it takes reports again', async () => (await scene.submit()).status === 202, backWithinMs)
      expect(performance.now() - endedAtMs).toBeLessThan(backWithinMs)
    },
  )

  test('has delivered what it accepted through all of that, and nothing that it refused', async () => {
    // What was being delivered when Redis went away waits until its lease has run out.
    await scene.untilAllArrived(50_000)
    expect(scene.refused.filter((number) => scene.recorder.received('roof1').has(number))).toEqual([])
  })
})
