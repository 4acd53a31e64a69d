import { describe, expect } from 'vitest'
import { hangsAfterMs } from '../../../../../../testing/real-time.ts'
import { openRedis } from '../../../../src/adapters/redis/link/open-redis.ts'
import { toRedisAddress } from '../../../../src/ports/storage/redis-addresses.ts'
import { aRedisServer, testWithRedisServer } from '../redis-server.ts'

const logger = { info() {}, warn() {} }

describe('a redis with unsuitable settings', () => {
  testWithRedisServer('is refused with the directive to set', async () => {
    const redis = await aRedisServer()
    const open = (asked: 'always' | 'everysec' | 'none') =>
      openRedis({ url: redis.url, durability: asked, role: 'server', logger, answerMs: hangsAfterMs }).then(
        ({ close }) => close(),
      )

    await open('always')
    await redis.command('CONFIG', 'SET', 'appendfsync', 'everysec')
    await expect(open('always')).rejects.toThrow('set "appendfsync always"')
    await open('everysec')
    await redis.command('CONFIG', 'SET', 'appendfsync', 'no')
    await expect(open('everysec')).rejects.toThrow('set "appendfsync everysec"')
    await redis.command('CONFIG', 'SET', 'appendonly', 'no')
    await expect(open('everysec')).rejects.toThrow('set "appendonly yes"')
    await open('none')
    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru')
    await expect(open('none')).rejects.toThrow('set "maxmemory-policy noeviction"')
    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction')
    await redis.command('REPLICAOF', '127.0.0.1', '1')
    await expect(open('none')).rejects.toThrow('use the primary')
    await redis.stop()
  })

  testWithRedisServer('is refused without its password, and no message contains the password', async () => {
    const redis = await aRedisServer({ password: 'hush-hush' })
    const at = (address: string) =>
      openRedis({ url: address, durability: 'always', role: 'server', logger, answerMs: hangsAfterMs })

    await (await at(redis.url)).close()
    await expect(at(redis.url.replace(':hush-hush@', ''))).rejects.toThrow('NOAUTH')
    const refusal = await at(redis.url.replace('hush-hush', 'wrong-word')).catch(String)
    await redis.stop()

    expect(refusal).toContain('WRONGPASS')
    expect(refusal).not.toContain('wrong-word')
    expect(toRedisAddress(redis.url)).toBe(`127.0.0.1:${redis.port}`)
    await expect(at(redis.url)).rejects.toThrow('ECONNREFUSED')
  })
})
