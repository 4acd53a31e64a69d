/** Several processes on one Redis count together; without it, each counts alone. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest'
import { hangsAfterMs } from '../../../../../testing/real-time.ts'
import type { RedisLink } from '../../../src/adapters/redis/link/link.ts'
import { openRedisParts } from '../../../src/adapters/redis/link/open-redis.ts'
import { createRedisSharedCounts } from '../../../src/adapters/redis/shared-counts.ts'
import { createManualClock, type ManualClock } from '../../../src/contracts/manual-clock.ts'
import { createThrottle } from '../../../src/http/throttle.ts'
import { createPasswordAttempts } from '../../../src/identity/people/password-attempts.ts'
import { aRedisServer, isRedisWanted, type RedisServer, testWithRedisServer } from './redis-server.ts'

const logger = { info: () => {}, warn: () => {} }
const windowMs = 10_000

let redis: RedisServer
beforeAll(async () => {
  if (isRedisWanted) redis = await aRedisServer()
})
afterAll(() => redis?.stop())

interface Deployment {
  clock: ManualClock
  prefix: string
  link(): Promise<RedisLink>
}

function fact(name: string, body: (deployment: Deployment) => Promise<void>): void {
  testWithRedisServer(name, async () => {
    const prefix = `posrep-${randomUUID()}:`
    await body({
      clock: createManualClock(),
      prefix,
      async link() {
        const { service, close } = await openRedisParts({ url: redis.url, logger, prefix, answerMs: hangsAfterMs })
        onTestFinished(close)
        return service
      },
    })
  })
}

/** A process with one limit of 5 events. */
async function aProcess({ clock, link }: Deployment, step?: number) {
  const counts = createRedisSharedCounts({ link: await link(), clock })
  const shared = { counts, name: 'test', ...(step !== undefined && { step }) }
  const throttle = createThrottle({ clock, limit: 5, windowMs, message: 'Too many', shared })
  return {
    ...throttle,
    /** Counts, and waits until it is shared. */
    async countAndShare(key: string) {
      throttle.count(key)
      await throttle.refresh(key)
    },
  }
}

fact('what one process has counted, another one refuses for, until the window of the first event ends', async (own) => {
  const [one, other] = await Promise.all([aProcess(own), aProcess(own)])
  for (let n = 0; n < 3; n++) await one.countAndShare('a')
  await own.clock.advance(4_000)
  for (let n = 0; n < 2; n++) await other.countAndShare('a')

  expect(() => other.check('a')).toThrow(expect.objectContaining({ headers: { 'Retry-After': '6' } }))
  one.check('a')
  await one.refresh('a')
  expect(() => one.check('a')).toThrow('Too many')
  other.check('b')
  await own.clock.advance(6_000)
  other.check('a')
  await other.countAndShare('a')
  expect(other.used('a')).toBe(1)
})

fact('concurrent events of several processes are all counted', async (own) => {
  const processes = await Promise.all([aProcess(own), aProcess(own), aProcess(own)])

  await Promise.all(processes.flatMap((one) => Array.from({ length: 50 }, () => one.countAndShare('a'))))
  await Promise.all(processes.map((one) => one.refresh('a')))

  expect(processes.map((one) => one.used('a'))).toEqual([150, 150, 150])
})

fact('reading writes nothing, and neither do fewer events than a step', async (own) => {
  const one = await aProcess(own, 3)
  await one.refresh('a')
  one.count('a')
  one.count('a')
  await new Promise((resolve) => setImmediate(resolve))

  expect(await redis.command('KEYS', `${own.prefix}count:*`)).toEqual([])
  await one.countAndShare('a')
  expect(await redis.command('KEYS', `${own.prefix}count:*`)).toHaveLength(1)
})

fact('Redis deletes a window soon after its end, and its key names no address', async (own) => {
  const one = await aProcess(own)
  await one.countAndShare('192.0.2.7')

  const [key] = (await redis.command('KEYS', `${own.prefix}count:*`)) as string[]

  expect(key).not.toContain('192.0.2.7')
  expect(Number(await redis.command('PTTL', key ?? ''))).toBeLessThanOrEqual(windowMs + 1_000)
})

fact('a process whose clock is ahead does not make the others wait longer than a window', async (own) => {
  const ahead = await aProcess({ ...own, clock: createManualClock(own.clock.now() + 60_000) })
  const one = await aProcess(own)
  for (let n = 0; n < 5; n++) await ahead.countAndShare('a')

  await one.countAndShare('a')

  expect(one.used('a')).toBe(6)
  expect(() => one.check('a')).toThrow(expect.objectContaining({ headers: { 'Retry-After': '10' } }))
  await own.clock.advance(windowMs)
  expect(one.used('a')).toBe(0)
})

fact('ten wrong passwords at two processes are refused at both, and at one that starts later', async (own) => {
  const start = async () =>
    createPasswordAttempts({
      clock: own.clock,
      sharedCounts: createRedisSharedCounts({ link: await own.link(), clock: own.clock }),
    })
  const [one, other] = await Promise.all([start(), start()])
  const attempt = { email: 'pilot@example.com', address: '192.0.2.7' }
  const wrong = (at: typeof one) =>
    at.examine(
      attempt,
      async () => {},
      () => 'wrong-password',
    )
  for (let n = 0; n < 5; n++) {
    await wrong(one)
    await wrong(other)
  }

  for (const at of [one, other, await start()]) {
    await expect(wrong(at)).rejects.toMatchObject({ code: 'too_many_requests', headers: { 'Retry-After': '900' } })
  }
})

testWithRedisServer('while Redis is away each process counts alone; afterwards they count together again', async () => {
  const server = await aRedisServer()
  const clock = createManualClock()
  const link = async () => {
    const { service, close } = await openRedisParts({ url: server.url, logger, answerMs: hangsAfterMs })
    onTestFinished(close)
    return service
  }
  const links = await Promise.all([link(), link()])
  const [one, other] = await Promise.all(
    links.map((service) => aProcess({ clock, prefix: '', link: async () => service })),
  )
  if (!one || !other) throw new Error('There are two processes')
  for (let n = 0; n < 2; n++) await one.countAndShare('a')

  await server.kill()
  for (let n = 0; n < 2; n++) await one.countAndShare('a')
  expect([one.used('a'), other.used('a')]).toEqual([4, 0])
  await one.countAndShare('a')
  expect(() => one.check('a')).toThrow('Too many')
  other.check('a')

  await server.start()
  await vi.waitFor(async () => {
    await one.refresh('a')
    await other.refresh('a')
    expect(other.used('a')).toBe(5)
  })
  await server.stop()
})
