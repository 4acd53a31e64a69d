import { expect, test } from 'vitest'
import { createMemoryLog } from '../../../src/adapters/memory/log.ts'
import { createMemoryRecentDeliveries } from '../../../src/adapters/memory/recent-deliveries.ts'
import { createMemoryStore } from '../../../src/adapters/memory/store.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import type { RecentDelivery } from '../../../src/ports/storage/recent-deliveries.ts'
import { createDeliveries } from '../../../src/relays/deliveries/deliveries.ts'
import { createQueueFailures } from '../../../src/relays/deliveries/queue-failures.ts'
import { aDevice } from '../../pipeline/a-pipeline-report.ts'

const url = 'https://relay.example/'
const device = { ...aDevice, relay: { url, state: 'Active' as const, failureDescription: null, sinceMs: 0 } }

function aDelivered({ isTruncated = false } = {}): RecentDelivery {
  return {
    deviceUrn: device.id,
    id: 'dl_99',
    messageId: 'm',
    state: 'delivered',
    appendedAtMs: 0,
    endedAtMs: 0,
    positions: 1,
    attemptCount: 1,
    attempts: [],
    reason: null,
    message: '{"again":true}',
    isTruncated,
  }
}

async function someDeliveries() {
  const clock = createManualClock()
  const store = createMemoryStore({ clock })
  const deliveryLog = createMemoryLog({ clock })
  const recentDeliveries = createMemoryRecentDeliveries()
  const dropped: unknown[] = []
  const deliveries = createDeliveries({
    store,
    deliveryLog,
    recentDeliveries,
    queueFailures: createQueueFailures({ store, retentionMs: 1_000 }),
    recorder: { record() {}, idle: async () => {} },
    dropped: { record: (...drop) => void dropped.push(drop), stop: async () => {} },
    send: async () => expect.unreachable(),
    clock,
    bound: () => ({ perQueue: 2 }),
  })
  const append = (...messages: string[]) =>
    deliveryLog.append(messages.map((message) => ({ queue: device.id, body: `m 1\n"${message}"` })))
  return { deliveries, deliveryLog, recentDeliveries, dropped, append }
}

test('a resend counts against the backlog: the oldest pending message leaves, and the drop is counted', async () => {
  const { deliveries, recentDeliveries, dropped, append } = await someDeliveries()
  await recentDeliveries.keep([aDelivered()])
  await append('first', 'second')

  await deliveries.resend(device, 'dl_99')

  const waiting = await deliveries.listPending(device.id, { limit: 10 })
  expect(waiting.map(({ message }) => message)).toEqual(['"second"', '{"again":true}'])
  expect(dropped).toEqual([[device.id, url, 1]])
})

test('buried messages are queued again together, the oldest first, up to the limit', async () => {
  const { deliveries, deliveryLog, append } = await someDeliveries()
  await append('a', 'b')
  const [lease = expect.unreachable()] = await deliveryLog.lease({ queues: 1, entries: 2, leaseMs: 1_000 })
  await deliveryLog.settle(lease, {
    accepted: [],
    buried: lease.entries.map(({ seq }) => ({ seq, reason: 'refused' })),
  })

  expect(await deliveries.resendBuried(device.id, 1)).toBe(1)
  const waiting = await deliveries.listPending(device.id, { limit: 10 })
  expect(waiting.map(({ message }) => message)).toEqual(['"a"'])
  expect([await deliveries.resendBuried(device.id, 5), await deliveries.resendBuried(device.id, 5)]).toEqual([1, 0])
})

test('an ID finds its own message, not the next one that waits or was set aside', async () => {
  const { deliveries, deliveryLog, append } = await someDeliveries()
  await append('accepted', 'refused', 'accepted', 'pending')
  const [lease = expect.unreachable()] = await deliveryLog.lease({ queues: 1, entries: 3, leaseMs: 1_000 })
  const [first = 0, second = 0, third = 0] = lease.entries.map(({ seq }) => seq)
  await deliveryLog.settle(lease, { accepted: [first, third], buried: [{ seq: second, reason: 'refused' }] })

  const find = (seq: number) =>
    deliveries.get(device.id, `dl_${seq}`).then(
      ({ state, message }) => `${state} ${message}`,
      ({ code }) => code,
    )

  expect(await Promise.all([first, second, third, third + 1].map(find))).toEqual([
    'delivery_not_found',
    'buried "refused"',
    'delivery_not_found',
    'pending "pending"',
  ])
})

test('a message of which only the beginning was stored cannot be resent', async () => {
  const { deliveries, deliveryLog, recentDeliveries } = await someDeliveries()
  await recentDeliveries.keep([aDelivered({ isTruncated: true })])

  await expect(deliveries.resend(device, 'dl_99')).rejects.toMatchObject({ code: 'delivery_not_resendable' })

  expect((await deliveryLog.depth()).waiting).toBe(0)
})
