import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, vi } from 'vitest'
import { openRedis } from '../../src/adapters/redis/open-redis.ts'
import { createRedisStore } from '../../src/adapters/redis/store.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import type { Store } from '../../src/ports/store.ts'
import { aRedisServer, type RedisServer, testWithRedisServer } from './redis-server.ts'

const logger = { info: () => {}, warn: () => {} }
const unavailable = { code: 'unavailable' }
const soon = { timeout: 2_000, interval: 10 }
const minuteMs = 60_000

interface Scene {
  redis: RedisServer
  store: Store
}

/** A store that has `kept`, over a Redis of its own. */
function fact(name: string, body: (scene: Scene) => Promise<void>): void {
  testWithRedisServer(
    name,
    async () => {
      const redis = await aRedisServer()
      const link = await openRedis({ url: redis.url, durability: 'always', role: 'server', logger })
      const store = createRedisStore({ link, clock: createManualClock() })
      await store.put('kept', 'value', minuteMs)
      try {
        await body({ redis, store })
      } finally {
        await link.close()
        await redis.stop()
      }
    },
    15_000,
  )
}

/** Every operation refuses; none says that there is nothing. */
async function expectAllRefused(store: Store): Promise<void> {
  await expect(store.get('kept')).rejects.toMatchObject(unavailable)
  await expect(store.put('late', 1, minuteMs)).rejects.toMatchObject(unavailable)
  await expect(store.take('kept')).rejects.toMatchObject(unavailable)
  await expect(store.replace('kept', 'other', 'late', minuteMs)).rejects.toMatchObject(unavailable)
  await expect(store.delete('nothing')).rejects.toMatchObject(unavailable)
}

async function elapsedMs(work: Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work
  return performance.now() - startedAt
}

describe('a redis that fails', () => {
  fact('refuses at once while it is down, and is back by itself with all it acknowledged', async ({ redis, store }) => {
    await redis.kill()
    expect(await elapsedMs(expectAllRefused(store))).toBeLessThan(500)

    await redis.start()
    await vi.waitFor(async () => expect(await store.get('kept')).toBe('value'), soon)
    expect(await store.get('late')).toBeUndefined()
  })

  fact('refuses within 2.5 s while it hangs, then at once, and writes nothing later', async ({ redis, store }) => {
    redis.hang()
    const refused = [
      expect(store.put('late', 1, minuteMs)).rejects.toMatchObject(unavailable),
      expect(store.take('kept')).rejects.toMatchObject(unavailable),
      expect(store.replace('kept', 'value', 'late', minuteMs)).rejects.toMatchObject(unavailable),
    ]
    const hungForMs = await elapsedMs(Promise.all(refused))
    expect(await elapsedMs(expectAllRefused(store))).toBeLessThan(500)

    redis.goOn()
    await vi.waitFor(async () => expect(await store.get('kept')).toBe('value'), soon)

    expect(hungForMs).toBeGreaterThan(1_500)
    expect(hungForMs).toBeLessThan(2_500)
    expect(await store.get('late')).toBeUndefined()
  })

  fact('refuses each of many callers within 2.5 s while it hangs', async ({ redis, store }) => {
    redis.hang()
    const delays: number[] = []
    const stopAt = performance.now() + 2_500
    const callers = Array.from({ length: 50 }, async () => {
      while (performance.now() < stopAt) {
        const late = store.put('late', 'x'.repeat(1_000), minuteMs)
        delays.push(await elapsedMs(expect(late).rejects.toMatchObject(unavailable)))
        await new Promise(setImmediate)
      }
    })
    // Callers that come one after another keep the connection busy all the time.
    const arriving = Array.from({ length: 20 }, async (_, n) => {
      await new Promise((resolve) => setTimeout(resolve, n * 100))
      delays.push(await elapsedMs(expect(store.get('kept')).rejects.toMatchObject(unavailable)))
    })
    await Promise.all([...callers, ...arriving])

    expect(Math.max(...delays)).toBeLessThan(2_500)
    redis.goOn()
    await vi.waitFor(async () => expect(await store.get('late')).toBeUndefined(), soon)
  })

  fact('refuses what needs memory while it has none, and still gives what it has', async ({ redis, store }) => {
    await redis.command('CONFIG', 'SET', 'maxmemory', '1')
    await expect(store.put('late', 1, minuteMs)).rejects.toMatchObject(unavailable)
    await expect(store.replace('kept', 'value', 'late', minuteMs)).rejects.toMatchObject(unavailable)
    expect(await store.get('kept')).toBe('value')
    expect(await store.take('kept')).toBe('value')

    await redis.command('CONFIG', 'SET', 'maxmemory', '0')
    await store.put('again', 1, minuteMs)
    expect(await store.get('late')).toBeUndefined()
  })

  fact('refuses reads and writes alike while it is a replica', async ({ redis, store }) => {
    await redis.command('REPLICAOF', '127.0.0.1', '1')
    await expectAllRefused(store)

    await redis.command('REPLICAOF', 'NO', 'ONE')
    expect(await store.get('kept')).toBe('value')
  })

  fact('refuses while it loads what it has on disk', async ({ redis, store }) => {
    // Nothing that can be compressed, and as one snapshot: Redis answers between every two of them while it loads.
    const fill = () => store.put(randomUUID(), randomBytes(2_000).toString('base64'), minuteMs)
    await Promise.all(Array.from({ length: 100 }, fill))
    await redis.command('BGREWRITEAOF')
    const rewritten = async () => expect(await redis.command('INFO')).toContain('aof_rewrite_in_progress:0')
    await vi.waitFor(rewritten, { timeout: 5_000, interval: 10 })
    await redis.kill()
    await redis.start('--key-load-delay', '50000', '--loading-process-events-interval-bytes', '1024')
    const reason = () => store.get('kept').catch((error) => error.cause.message)
    await vi.waitFor(async () => expect(await reason()).toContain('LOADING'), soon)
    await expectAllRefused(store)

    await redis.command('CONFIG', 'SET', 'key-load-delay', '0')
    await vi.waitFor(async () => expect(await store.get('kept')).toBe('value'), soon)
  })

  fact('is connected again after it cut the connection', async ({ redis, store }) => {
    await redis.command('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    await vi.waitFor(async () => expect(await store.get('kept')).toBe('value'), soon)
  })
})
