/**
 * An owner's function that fails, hangs or is slow, and receivers that restart or share a Redis, with the real courier.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import KeyvRedis from '@keyv/redis'
import type { Answered, Delivery, OnReport, PositionReport, ReceiverOptions } from '@posrep/relay-receiver'
import { keyvStore } from '@posrep/relay-receiver/keyv'
import { relayReceiver } from '@posrep/relay-receiver/node'
import { Keyv } from 'keyv'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../testing/real-time.ts'
import { startRedis } from '../parts/redis-process.ts'
import { testWith } from '../parts/requirements.ts'
import { aListeningRelay } from './a-listening-relay.ts'
import { aService, type Service } from './a-service.ts'

/** What the owner has stored, by device, in order. */
type Stored = Map<string, string[]>

/** Shorter than in earnest, where the service waits 10 s; long enough that a busy machine misses it rarely. */
const deadlineMs = 500

const misbehaviour: Record<string, (nth: number) => Promise<void> | void> = {
  'throws at every second message': (nth) => {
    if (nth % 2 === 0) throw new Error('disk full')
  },
  'hangs at every fifth message': (nth) => (nth % 5 === 0 ? new Promise(() => {}) : undefined),
  'takes longer than the deadline at every fifth message': (nth) => (nth % 5 === 0 ? sleep(2 * deadlineMs) : undefined),
}

for (const [what, misbehave] of Object.entries(misbehaviour)) {
  test(`a function that ${what} gets every report, in order, and stores each once`, async () => {
    const service = await aService()
    const stored: Stored = new Map()
    const attempts = new Map<string | undefined, number>()
    let nth = 0
    const onReport: OnReport = async (report, delivery) => {
      const attempt = (attempts.get(delivery.id) ?? 0) + 1
      attempts.set(delivery.id, attempt)
      if (attempt === 1) await misbehave(++nth)
      store(stored, report, delivery)
    }
    const times = { deadlineMs, onReportTimeoutMs: 4 * deadlineMs, onError: () => {} }
    const relay = await aListeningRelay(service.certificate, aReceiver(service, { onReport, ...times }))
    onTestFinished(relay.cut)

    await service.setRelay(relay.origin)
    const sent = await service.submit(4)
    await until('all reports are stored', () => countOf(stored) >= 12)

    expect(stored).toEqual(sent)
  })
}

test('a receiver that restarts while it works on reports gets them again, in order, and none is lost', async () => {
  const service = await aService()
  const stored: Stored = new Map()
  const hanging: OnReport = () => new Promise(() => {})
  let begun = 0
  const first = aReceiver(service, {
    onReport(report, delivery) {
      begun++
      return hanging(report, delivery)
    },
    onError: () => {},
  })
  const relay = await aListeningRelay(service.certificate, first)
  onTestFinished(relay.cut)
  await service.setRelay(relay.origin)
  const sent = await service.submit(4)
  await until('each device has a message under way', () => begun === 3)

  await relay.cut()
  await relay.restart(aReceiver(service, { onReport: (report, delivery) => store(stored, report, delivery) }))
  await until('all reports are stored', () => countOf(stored) >= 12)

  expect(stored).toEqual(sent)
})

testWith('redis-server', 'receivers that share a Redis')(
  'two receivers that share a Redis store each report once, although answers are lost and Redis restarts',
  async () => {
    const [service, redis] = await Promise.all([aService(), startRedis()])
    onTestFinished(redis.stop)
    const stored: Stored = new Map()
    // The IDs whose answer was 204, so that they are in Redis.
    const accepted = new Set<string | undefined>()
    const owners = {
      onReport: (report: PositionReport, delivery: Delivery) => store(stored, report, delivery),
      onAnswer: ({ status, id }: Answered) => void (status === 204 && accepted.add(id)),
      onError: () => {},
    }
    const receivers = await Promise.all(
      [1, 2].map(async () => aReceiver(service, { ...owners, store: await aStore(redis.url) })),
    )
    let requests = 0
    const relay = await aListeningRelay(service.certificate, async (request, response) => {
      const nth = requests++
      // Every third answer is lost after the report was stored.
      if (nth > 6 && nth % 3 === 0) response.end = () => response.destroy()
      await receivers[nth % 2]?.(request, response)
    })
    onTestFinished(relay.cut)

    await service.setRelay(relay.origin)
    const before = await service.submit(4)
    await until('all reports are accepted', () => accepted.size >= 12)
    await redis.kill()
    const after = await service.submit(4)
    await redis.restart()
    await until('all reports are accepted', () => accepted.size >= 24)

    const sent = [...before].map(([device, ids]) => [device, [...ids, ...(after.get(device) ?? [])]] as const)
    expect(stored).toEqual(new Map(sent))
  },
)

type Owners = 'onAnswer' | 'onError' | 'deadlineMs' | 'onReportTimeoutMs' | 'store'

function aReceiver(
  { issuer: from }: Service,
  options: Pick<ReceiverOptions, 'onReport'> & Partial<Pick<ReceiverOptions, Owners>>,
) {
  return relayReceiver({ ...options, from, clientParts: ['acme'] })
}

async function aStore(url: string) {
  const redis = new KeyvRedis({ url, disableOfflineQueue: true, socket: { reconnectStrategy: 50 } })
  const keyv = new Keyv({ store: redis, namespace: 'relay' })
  onTestFinished(() => keyv.disconnect())
  await redis.getClient() // Without the offline queue, commands before the connection is open are refused.
  return keyvStore({ keyv })
}

/** As an owner's database does: in order, without a unique key. */
function store(stored: Stored, { positions }: PositionReport, { device = '' }: Pick<Delivery, 'device'>): void {
  stored.set(device, [...(stored.get(device) ?? []), ...positions.map(({ id }) => id)])
}

function countOf(stored: Stored): number {
  return [...stored.values()].reduce((sum, { length }) => sum + length, 0)
}
