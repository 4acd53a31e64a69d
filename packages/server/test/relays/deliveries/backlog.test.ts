import type { ServerResponse } from 'node:http'
import type { DeliveryList } from '@posrep/spec'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createMemoryLog } from '../../../src/adapters/memory/log.ts'
import { openStorage } from '../../../src/composition/storage/storage.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import type { Logger } from '../../../src/ports/logger.ts'
import type { DeliveryLog } from '../../../src/ports/storage/log.ts'
import { RelayFailure } from '../../../src/relays/sender/relay-failure.ts'
import { aPosition, aReport } from '../../a-report.ts'
import { aServer, roof1, silentLogger } from '../../a-server.ts'
import { aFolder } from '../../adapters/sqlite/a-database.ts'
import { aCourier, minuteMs } from '../a-courier.ts'
import { aRelay } from '../a-relay.ts'

test('beyond --relay-backlog the oldest reports are dropped and counted, and the others are delivered in order', async () => {
  const warned: unknown[] = []
  const logger: Logger = { ...silentLogger, warn: (...line) => void warned.push(line) }
  const server = await aServer({ flags: { 'allow-private-relays': true, 'relay-backlog': '5' }, logger })
  onTestFinished(() => server.stop())
  let isUp = false
  const relay = await aRelay(
    server.certificate,
    (_request, response: ServerResponse, body) => {
      const { validationCode } = JSON.parse(body)
      if (validationCode === undefined) response.statusCode = isUp ? 204 : 503
      response.end(validationCode)
    },
    { name: 'localhost' },
  )
  await server.post(`/v1/devices/${roof1}/relay`, await server.userToken(), { url: relay.url.href, state: 1 })

  const ids = Array.from({ length: 12 }, (_, n) => `r${n + 1}`)
  for (const id of ids) {
    const body = aReport({ positions: [aPosition({ id })] })
    expect((await server.post('/v1/position-reports', await server.deviceToken(), body)).status).toBe(202)
  }
  await server.processed()
  const droppedAt = new Date(server.clock.now()).toISOString()
  await server.clock.advance(1_000)
  const list = async () => {
    const response = await server.get(`/v1/devices/${roof1}/deliveries?state=pending`, await server.userToken())
    return (await response.json()) as DeliveryList
  }
  expect(await list()).toMatchObject({ pending: 5, dropped: 7, firstDroppedAt: droppedAt, lastDroppedAt: droppedAt })
  expect(await (await server.fetch('/metrics')).text()).toContain('posrep_dropped_total{log="delivery"} 7')
  expect(warned).toContainEqual([
    expect.objectContaining({ device: roof1, deliveries: 7 }),
    expect.stringMatching(/dropped/),
  ])

  isUp = true
  const sentBefore = relay.requests.length
  await vi.waitFor(async () => {
    await server.clock.advance(5_000)
    expect(relay.requests.length).toBeGreaterThanOrEqual(sentBefore + 5)
  })
  const taken = relay.requests.slice(-5).map(({ body }) => JSON.parse(body).positionReport.positions[0].id)
  expect(taken).toEqual(ids.slice(-5))

  const elsewhere = { url: 'https://localhost/elsewhere', state: 2 }
  await server.post(`/v1/devices/${roof1}/relay`, await server.userToken(), elsewhere)
  expect(await list()).toMatchObject({ dropped: 0, firstDroppedAt: null, lastDroppedAt: null })
})

describe('a million messages that wait for one relay', () => {
  const million = 1_000_000
  const backends: [string, () => Promise<DeliveryLog>][] = [
    ['memory', async () => createMemoryLog({ clock: createManualClock(), roomBytes: 1024 ** 3 })],
    [
      'sqlite',
      async () => {
        const settings = {
          memory: false,
          dataDir: await aFolder(),
          redis: undefined,
          redisDurability: 'always',
        } as const
        const storage = await openStorage({ settings, clock: createManualClock(), role: 'server' })
        onTestFinished(() => storage.close())
        return storage.deliveryLog
      },
    ],
  ]

  test.each(backends)(
    'are kept in order over %s, one more drops the oldest, and another queue does not wait for them',
    async (_name, open) => {
      const log = await open()
      const bound = { perQueue: million }
      const atOnce = 20_000
      for (let n = 0; n < million; n += atOnce) {
        await log.append(
          Array.from({ length: atOnce }, (_, i) => ({ queue: 'stuck', body: String(n + i) })),
          bound,
        )
      }
      expect(await log.depth('stuck')).toMatchObject({ waiting: million, buried: 0 })
      expect(await log.append([{ queue: 'stuck', body: 'one more' }], bound)).toEqual({ dropped: 1 })
      await log.append([{ queue: 'other', body: 'its own' }], bound)

      const leases = await log.lease({ queues: 2, entries: 2, leaseMs: 1_000 })
      const bodies = Object.fromEntries(leases.map(({ queue, entries }) => [queue, entries.map(({ body }) => body)]))
      expect(bodies).toEqual({ stuck: ['1', '2'], other: ['its own'] })
    },
  )
})

test('with 96 h of retention a relay gets everything in order after an outage of 95 h, and is Failed after 96 h', async () => {
  const hourMs = 60 * minuteMs
  const { enqueue, roof1, roof2, pass, answering, deliveryLog, relayOf, setRelay, reports } = await aCourier({
    retentionMs: 96 * hourMs,
  })
  await setRelay(roof2, 'Active', 'https://two.example/')
  answering(() => new RelayFailure('unreachable'))
  answering(() => new RelayFailure('unreachable'), 'https://two.example/')
  const ids = Array.from({ length: 50 }, (_, n) => `r${n}`)
  await enqueue(roof1, ...ids)
  await enqueue(roof2, 'late')
  await pass(95 * hourMs)
  expect((await relayOf(roof1))?.state).toBe('Active')
  expect(await deliveryLog.depth(roof1)).toMatchObject({ waiting: 50, buried: 0 })

  answering(() => 200)
  const before = reports().length
  await pass(20 * minuteMs)
  const taken = reports()
    .slice(before)
    .filter((id) => id !== 'late')
  expect(taken).toEqual(ids)
  await pass(hourMs)
  expect(await relayOf(roof2)).toMatchObject({ state: 'Failed' })
})
