import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, vi } from 'vitest'
import { hangsAfterMs } from '../../../../../../testing/real-time.ts'
import { openRedisParts } from '../../../../src/adapters/redis/link/open-redis.ts'
import { openRedisPubSub } from '../../../../src/adapters/redis/link/pub-sub.ts'
import { aSharedRedisServer, testWithRedis } from '../redis-server.ts'

const logger = { info: () => {}, warn: () => {} }

/** Subscribes, and publishes as another process does. */
async function aPubSub() {
  const { url } = await aSharedRedisServer()
  const prefix = `posrep-${randomUUID()}:`
  const parts = await openRedisParts({ url, prefix, logger, answerMs: hangsAfterMs })
  const pubSub = await openRedisPubSub({ parts, logger })
  onTestFinished(async () => {
    await Promise.all([pubSub.close(), parts.close()])
  })
  return { pubSub, prefix, publish: parts.service.publish }
}

testWithRedis('a burst of messages calls a watcher a few times, and a subscriber for each message', async () => {
  const { pubSub, publish, prefix } = await aPubSub()
  let notified = 0
  const received: string[] = []
  pubSub.watch(`${prefix}log:report:work`, () => notified++)
  pubSub.subscribe(`${prefix}log:report:work`, (message) => received.push(message))

  const sent = Array.from({ length: 500 }, (_, n) => String(n))
  await Promise.all(sent.map((message) => publish('log:report:work', message)))
  await vi.waitFor(() => expect(received).toEqual(sent))
  await vi.waitFor(() => expect(notified).toBeGreaterThan(0))

  expect(notified).toBeLessThan(100)
})

testWithRedis('a watcher is called again for a later message, until it stops', async () => {
  const { pubSub, publish, prefix } = await aPubSub()
  let notified = 0
  const stop = pubSub.watch(`${prefix}log:delivery:work`, () => notified++)
  await publish('log:delivery:work', '')
  await vi.waitFor(() => expect(notified).toBe(1))
  await publish('log:delivery:work', '')
  await vi.waitFor(() => expect(notified).toBe(2))
  stop()
})
