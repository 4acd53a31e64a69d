/** Message IDs in Keyv: in memory, and in a real Redis that is killed and suspended. */
import KeyvRedis from '@keyv/redis'
import { Keyv } from 'keyv'
import { expect, onTestFinished, test, vi } from 'vitest'
import { deduplicationStoreContract, unreachableStoreContract } from '../../src/stores/contract.ts'
import { keyvStore } from '../../src/stores/keyv.ts'
import { aReceiver, aRequest } from '../builders.ts'
import { aRedis, testWithRedis } from './a-redis.ts'

deduplicationStoreContract(
  (name, run) => test(`Keyv in memory: ${name}`, run),
  () => keyvStore({ keyv: new Keyv() }),
)

deduplicationStoreContract(
  (name, run) => testWithRedis(`Keyv on Redis: ${name}`, run),
  async () => keyvStore({ keyv: await aKeyv((await aRedis()).url) }),
)

unreachableStoreContract(
  (name, run) => testWithRedis(`Keyv on Redis: ${name}`, run),
  async () => {
    const redis = await aRedis()
    const keyv = await aKeyv(redis.url)
    await redis.kill()
    return keyvStore({ keyv })
  },
)

testWithRedis('two receivers share IDs in one Redis, also after a restart of either', async () => {
  const { url } = await aRedis()
  const onReport = vi.fn()
  const aReceiverOnRedis = async () => aReceiver({ onReport, store: keyvStore({ keyv: await aKeyv(url) }) })

  expect((await (await aReceiverOnRedis())(aRequest())).status).toBe(204)
  expect((await (await aReceiverOnRedis())(aRequest())).status).toBe(204)

  expect(onReport).toHaveBeenCalledTimes(1)
})

testWithRedis('an ID expires in Redis after "ttlMs"', async () => {
  const redis = await aRedis()
  const keyv = await aKeyv(redis.url)
  await keyvStore({ keyv, ttlMs: 90_000 }).add('msg_1')

  const [key] = (await redis.command('KEYS', '*')) as string[]
  const leftMs = Number(await redis.command('PTTL', key ?? ''))

  expect(key).toContain('msg_1')
  expect(leftMs).toBeGreaterThan(60_000)
  expect(leftMs).toBeLessThanOrEqual(90_000)
})

testWithRedis('a Redis that is full makes the message come again, instead of being forgotten', async () => {
  const redis = await aRedis()
  const keyv = await aKeyv(redis.url)
  const onReport = vi.fn()
  const receive = aReceiver({ onReport, store: keyvStore({ keyv }), onError: () => {} })
  await redis.command('CONFIG', 'SET', 'maxmemory', '1')

  expect((await receive(aRequest())).status).toBe(503)
  await redis.command('CONFIG', 'SET', 'maxmemory', '0')

  expect((await receive(aRequest())).status).toBe(204)
  expect((await receive(aRequest())).status).toBe(204)
  expect(onReport).toHaveBeenCalledTimes(2)
})

test('a time that Keyv would read as "for ever" is refused', () => {
  for (const ttlMs of [0, -1, 0.5, Number.NaN, 59_999]) {
    expect(() => keyvStore({ keyv: new Keyv(), ttlMs })).toThrow('"ttlMs" must be a whole number of at least 60000')
  }
})

async function aKeyv(url: string): Promise<Keyv> {
  const socket = { connectTimeout: 1_000, reconnectStrategy: false as const }
  const store = new KeyvRedis({ url, disableOfflineQueue: true, socket })
  const keyv = new Keyv({ store, useKeyPrefix: false })
  onTestFinished(() => keyv.disconnect().catch(() => {})) // A killed Redis is already disconnected.
  await store.getClient() // Without the offline queue, commands before the connection is open are refused.
  return keyv
}
