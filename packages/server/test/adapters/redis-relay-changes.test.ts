/** Of several processes on one Redis none goes on sending to a relay's old address once the update is answered. */
import { randomUUID } from 'node:crypto'
import { createClient } from '@redis/client'
import { afterAll, beforeAll, expect } from 'vitest'
import { openRedisLink } from '../../src/adapters/redis/link.ts'
import { openRedisNotes } from '../../src/adapters/redis/notes.ts'
import { createRedisRelayChanges } from '../../src/adapters/redis/relay-changes.ts'
import { createUnderWay, type UnderWay } from '../../src/relays/under-way.ts'
import { aRedisServer, isRedisWanted, type RedisServer, testWithRedisServer } from './redis-server.ts'

const roof1 = 'urn:aa:device:acme:roof1'
const roof2 = 'urn:aa:device:acme:roof2'
const logger = { info: () => {}, warn: () => {} }

let redis: RedisServer
beforeAll(async () => {
  if (isRedisWanted) redis = await aRedisServer()
})
afterAll(() => redis?.stop())

function fact(name: string, body: (aProcess: () => Promise<UnderWay>, prefix: string) => Promise<void>): void {
  testWithRedisServer(name, async () => {
    const prefix = `posrep-${randomUUID()}:`
    const opened: { close(): Promise<void> }[] = []
    const aProcess = async () => {
      const link = await openRedisLink({ url: redis.url, logger, prefix })
      const notes = await openRedisNotes({ url: redis.url, logger, prefix })
      opened.push(link, notes)
      return createUnderWay(createRedisRelayChanges({ link, notes }))
    }
    try {
      await body(aProcess, prefix)
    } finally {
      await Promise.all(opened.map((one) => one.close()))
    }
  })
}

fact(
  'what any process sends for the device is given up when the update is answered, and nothing else',
  async (aProcess) => {
    const processes = await Promise.all([aProcess(), aProcess(), aProcess()])
    const [answering] = processes
    const ofDevice = processes.map(({ begin }) => begin(roof1).givingUp)
    const ofAnother = processes.map(({ begin }) => begin(roof2).givingUp)

    await answering?.giveUp(roof1)

    expect(ofDevice.map(({ isGivenUp }) => isGivenUp)).toEqual([true, true, true])
    expect(ofAnother.map(({ isGivenUp }) => isGivenUp)).toEqual([false, false, false])
  },
)

fact('updates at the same time are all heard', async (aProcess) => {
  const [first, second] = await Promise.all([aProcess(), aProcess()])
  const lines = Array.from({ length: 50 }, (_, n) => `urn:aa:device:acme:roof${n}`)
  const attempts = lines.map((line) => second.begin(line).givingUp)

  await Promise.all(lines.map((line, n) => (n % 2 === 0 ? first : second).giveUp(line)))

  expect(attempts.every(({ isGivenUp }) => isGivenUp)).toBe(true)
})

fact(
  'one that does not answer is waited for a second, and the others have given up by then',
  async (aProcess, prefix) => {
    const [first, second] = await Promise.all([aProcess(), aProcess()])
    const { givingUp } = second.begin(roof1)
    const hanging = await createClient({ url: redis.url }).connect()
    await hanging.subscribe(`${prefix}relay:changes`, () => {})
    const askedAtMs = performance.now()

    await first.giveUp(roof1)

    expect(performance.now() - askedAtMs).toBeGreaterThanOrEqual(990)
    expect(givingUp.isGivenUp).toBe(true)
    hanging.destroy()
  },
)

fact('when Redis is away the update is not answered as if it were in force', async (aProcess) => {
  const alone = await aProcess()
  const { givingUp } = alone.begin(roof1)
  await redis.kill()

  await expect(alone.giveUp(roof1)).rejects.toMatchObject({ code: 'unavailable' })

  expect(givingUp.isGivenUp).toBe(true)
  await redis.start()
})
