/** Several processes on one Redis: none of them sends to a relay's old address after the update was answered. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect } from 'vitest'
import { hangsAfterMs, isOverBefore } from '../../../../../testing/real-time.ts'
import { openRedisParts, usualAnswerMs } from '../../../src/adapters/redis/link/open-redis.ts'
import { openRedisPubSub } from '../../../src/adapters/redis/link/pub-sub.ts'
import { createRedisRelayChanges } from '../../../src/adapters/redis/relay-changes.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { createInFlight, type InFlight } from '../../../src/relays/courier/in-flight.ts'
import { aRedisServer, isRedisWanted, type RedisServer, testWithRedisServer } from './redis-server.ts'

const roof1 = 'urn:aa:device:acme:roof1'
const roof2 = 'urn:aa:device:acme:roof2'
const logger = { info: () => {}, warn: () => {} }
const clock = createManualClock()
const devices = { find: async () => undefined }

async function signalOf({ begin }: InFlight, deviceUrn: string): Promise<AbortSignal> {
  return (await begin(deviceUrn).find()).signal
}

let redis: RedisServer
beforeAll(async () => {
  if (isRedisWanted) redis = await aRedisServer()
})
afterAll(() => redis?.stop())

function fact(
  name: string,
  body: (aProcess: (answerMs?: number) => Promise<InFlight>, prefix: string) => Promise<void>,
): void {
  testWithRedisServer(name, async () => {
    const prefix = `posrep-${randomUUID()}:`
    const opened: { close(): Promise<void> }[] = []
    const aProcess = async (answerMs = hangsAfterMs) => {
      const parts = await openRedisParts({ url: redis.url, logger, prefix, answerMs })
      const pubSub = await openRedisPubSub({ parts, logger })
      opened.push(parts, pubSub)
      return createInFlight({ devices, clock, changes: createRedisRelayChanges({ link: parts.service, pubSub }) })
    }
    try {
      await body(aProcess, prefix)
    } finally {
      await Promise.all(opened.map((one) => one.close()))
    }
  })
}

fact(
  'an update aborts the messages of all processes for this device, and no others, before it is answered',
  async (aProcess) => {
    const processes = await Promise.all([aProcess(), aProcess(), aProcess()])
    const [answering] = processes
    const ofDevice = await Promise.all(processes.map((one) => signalOf(one, roof1)))
    const ofAnother = await Promise.all(processes.map((one) => signalOf(one, roof2)))

    await answering?.abort(roof1)

    expect(ofDevice.map(({ aborted }) => aborted)).toEqual([true, true, true])
    expect(ofAnother.map(({ aborted }) => aborted)).toEqual([false, false, false])
  },
)

fact('all concurrent updates reach the other process', async (aProcess) => {
  const [first, second] = await Promise.all([aProcess(), aProcess()])
  const urns = Array.from({ length: 50 }, (_, n) => `urn:aa:device:acme:roof${n}`)
  const signals = await Promise.all(urns.map((urn) => signalOf(second, urn)))

  await Promise.all(urns.map((urn, n) => (n % 2 === 0 ? first : second).abort(urn)))

  expect(signals.every(({ aborted }) => aborted)).toBe(true)
})

fact(
  'an update waits one second for a process that does not answer, and the others have aborted by then',
  async (aProcess, prefix) => {
    const [first, second] = await Promise.all([aProcess(usualAnswerMs.server), aProcess()])
    const signal = await signalOf(second, roof1)
    // It hears of the change.
    const parts = await openRedisParts({ url: redis.url, logger, prefix })
    const hanging = await openRedisPubSub({ parts, logger })

    expect(await isOverBefore(950, () => first.abort(roof1))).toBe(false)

    expect(signal.aborted).toBe(true)
    await Promise.all([hanging.close(), parts.close()])
  },
)

fact('an update is refused while Redis is down', async (aProcess) => {
  const alone = await aProcess()
  const signal = await signalOf(alone, roof1)
  await redis.kill()

  await expect(alone.abort(roof1)).rejects.toMatchObject({ code: 'unavailable' })

  expect(signal.aborted).toBe(true)
  await redis.start()
})
