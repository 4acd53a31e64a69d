/**
 * Relays of several accounts on one HTTPS server: those of one account do not answer. It asserts the order, not the
 * time.
 */
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { hangsAfterMs } from '../../../../../testing/real-time.ts'
import { createMemoryLog } from '../../../src/adapters/memory/log.ts'
import { openRedis } from '../../../src/adapters/redis/link/open-redis.ts'
import { createRedisLog } from '../../../src/adapters/redis/log/log.ts'
import { openSqliteEngine } from '../../../src/adapters/sqlite/engine.ts'
import { openSqliteLog } from '../../../src/adapters/sqlite/log/log.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { createSendRelayMessage } from '../../../src/relays/sender/send-relay-message.ts'
import { silentLogger } from '../../a-server.ts'
import { aRedisServer, testWithRedisServer } from '../../adapters/redis/redis-server.ts'
import { aFile } from '../../adapters/sqlite/a-database.ts'
import { aCourier, type CourierUnderTestOptions } from '../a-courier.ts'
import { aCertificate, aConnection, aRelay } from '../a-relay.ts'

type OpenLog = NonNullable<CourierUnderTestOptions['openLog']>

const soon = { interval: 20 }
const slowHosts = 300
const slowOnSharedHost = 40
const victims = ['1', '2', '3']

async function inSqlite(clock: Clock) {
  const engine = await openSqliteEngine({ file: await aFile() })
  onTestFinished(() => engine.close())
  return openSqliteLog({ engine, clock, name: 'delivery' })
}

async function inRedis(clock: Clock) {
  const redis = await aRedisServer()
  const prefix = `posrep-${randomUUID()}:`
  const { service: link, close } = await openRedis({
    url: redis.url,
    durability: 'always',
    role: 'server',
    logger: silentLogger,
    prefix,
    answerMs: hangsAfterMs,
  })
  onTestFinished(async () => {
    await close()
    await redis.stop()
  })
  return createRedisLog({ link, clock, name: 'delivery' })
}

/** The hostile account's relays have no answer until the test releases them. */
async function check(openLog: OpenLog): Promise<void> {
  const certificate = await aCertificate(['*.relay.test'])
  const unanswered: ServerResponse[] = []
  let isReleased = false
  const arrived: string[] = []
  const relay = await aRelay(certificate, (request, response, body) => {
    const isSlow = request.url?.startsWith('/slow') ?? false
    arrived.push(isSlow ? 'slow' : JSON.parse(body).positionReport.positions[0].id)
    if (isSlow && !isReleased) unanswered.push(response)
    else response.end()
  })
  const courier = await aCourier({
    openLog,
    send: (...message) => send(...message),
  })
  const send = createSendRelayMessage({
    // All connect at the same moment to this process, which may be slow.
    connection: aConnection({ extraCa: certificate.ca, deadlineMs: 60_000, connectTimeoutMs: 60_000 }),
    clock: courier.clock,
    sign: async () => Buffer.alloc(64),
  })
  const urlOf = (host: string, path: string) => `https://${host}.relay.test:${relay.port}${path}`
  for (let n = 0; n < slowHosts + slowOnSharedHost; n++) {
    const urn = await courier.addDevice(`slow${n}`, 'hostile')
    await courier.setRelay(urn, 'Active', urlOf(n < slowOnSharedHost ? 'shared' : `h${n}`, `/slow${n}`))
    await courier.enqueue(urn, '0')
  }
  // As many as one account may have.
  await vi.waitFor(() => expect(arrived.length).toBeGreaterThanOrEqual(256), soon)
  await courier.clock.advance(1_000)
  await courier.setRelay(courier.roof1, 'Active', urlOf('shared', '/victim'))
  await courier.enqueue(courier.roof1, ...victims)
  await vi.waitFor(() => expect(arrived.filter((id) => id !== 'slow')).toEqual(victims), soon)
  expect(arrived.filter((id) => id === 'slow')).toHaveLength(256)

  isReleased = true
  for (const response of unanswered) response.end()
  await vi.waitFor(async () => {
    await courier.clock.advance(1_000)
    expect(arrived).toHaveLength(slowHosts + slowOnSharedHost + victims.length)
  }, soon)
}

describe('the messages of an account arrive before those for which another account with slow relays has no slots', () => {
  test('with a log in memory', () => check((clock) => createMemoryLog({ clock })))
  test('with a log in SQLite', () => check(inSqlite))
  testWithRedisServer('with a log in Redis', () => check(inRedis))
})
