import KeyvRedis from '@keyv/redis'
import { Keyv } from 'keyv'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { keyvTokenStore } from '../../src/stores/keyv.ts'
import { tokenStoreContract } from '../../src/stores/token-store-contract.ts'
import { aTokens } from '../builders.ts'
import { isRedisWanted, type RedisProcess, startRedis } from './a-redis.ts'

const tokens = aTokens(1)

describe('in memory', () => {
  tokenStoreContract(test, async () => {
    const keyv = new Keyv({ throwOnErrors: true })
    return { store: keyvTokenStore({ keyv, key: 'a' }), sibling: keyvTokenStore({ keyv, key: 'a' }) }
  })
})

describe.skipIf(!isRedisWanted)('in Redis', () => {
  let redis: RedisProcess
  let count = 0

  beforeAll(async () => {
    redis = await startRedis()
  })

  afterAll(() => redis?.stop())

  tokenStoreContract(test, async () => {
    const keyv = open()
    const key = `session-${(count += 1)}`
    return {
      store: keyvTokenStore({ keyv, key }),
      sibling: keyvTokenStore({ keyv, key }),
      close: () => keyv.disconnect(),
    }
  })

  test('tokens that one process wrote are read by another', async () => {
    const [one, other] = [open(), open()]
    await keyvTokenStore({ keyv: one, key: 'shared' }).write(tokens)

    expect(await keyvTokenStore({ keyv: other, key: 'shared' }).read()).toEqual(tokens)
    await one.disconnect()
    await other.disconnect()
  })

  test('each key has its own tokens, which expire after "ttlMs"', async () => {
    const keyv = open()
    await keyvTokenStore({ keyv, key: 'one', ttlMs: 60_000 }).write(tokens)

    expect(await keyvTokenStore({ keyv, key: 'two' }).read()).toBeUndefined()
    const leftMs = await keyv.store.client.pTTL('keyv::one')
    expect(leftMs).toBeGreaterThan(0)
    expect(leftMs).toBeLessThanOrEqual(60_000)
    await keyv.disconnect()
  })

  test('a Redis that is down rejects, and is not taken for a user who is not signed in', async () => {
    const other = await startRedis()
    const keyv = open(other.url)
    keyv.on('error', () => {})
    const store = keyvTokenStore({ keyv, key: 'a' })
    await store.write(tokens)

    await other.stop()

    await expect(store.read()).rejects.toThrow()
    await expect(store.write(tokens)).rejects.toThrow()
    await expect(store.clear()).rejects.toThrow()
    await keyv.disconnect().catch(() => {}) // it is down
  })

  function open(url = redis.url): Keyv {
    const socket = { connectTimeout: 1_000, socketTimeout: 2_000, reconnectStrategy: false as const }
    const store = new KeyvRedis({ url, disableOfflineQueue: true, socket }, { throwOnErrors: true })
    return new Keyv({ store, throwOnErrors: true, useKeyPrefix: false })
  }
})

test('an outage is an error, also with a Keyv and an adapter that would hide it', async () => {
  const socket = { connectTimeout: 1_000, reconnectStrategy: false as const }
  const adapter = new KeyvRedis({ url: 'redis://127.0.0.1:1', disableOfflineQueue: true, socket })
  const keyv = new Keyv({ store: adapter }).on('error', () => {})

  await expect(keyvTokenStore({ keyv, key: 'a' }).read()).rejects.toThrow()
})

test('an empty key and a wrong time are refused', () => {
  const keyv = new Keyv({ throwOnErrors: true })
  expect(() => keyvTokenStore({ keyv, key: '' })).toThrow('"key" must not be empty')
  for (const ttlMs of [0, -1, 0.5, Number.NaN]) {
    expect(() => keyvTokenStore({ keyv, key: 'a', ttlMs })).toThrow(`"ttlMs" must be 1 or more, got ${ttlMs}`)
  }
})

test('a store that does not store the tokens rejects', async () => {
  const keyv = new Keyv({ throwOnErrors: true })
  vi.spyOn(keyv, 'set').mockResolvedValue(false)

  await expect(keyvTokenStore({ keyv, key: 'a' }).write(tokens)).rejects.toThrow('did not store')
})
