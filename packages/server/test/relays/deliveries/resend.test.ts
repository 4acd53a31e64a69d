import { expect, test } from 'vitest'
import { createMemoryLog } from '../../../src/adapters/memory/log.ts'
import { createMemoryRecentDeliveries } from '../../../src/adapters/memory/recent-deliveries.ts'
import { createMemoryStore } from '../../../src/adapters/memory/store.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { createDeliveries } from '../../../src/relays/deliveries/deliveries.ts'
import { createQueueFailures } from '../../../src/relays/deliveries/queue-failures.ts'
import { aDevice } from '../../pipeline/a-pipeline-report.ts'

const url = 'https://relay.example/'
const device = { ...aDevice, relay: { url, state: 'Active' as const, failureDescription: null, sinceMs: 0 } }

test('a resend counts against the backlog: the oldest pending message leaves, and the drop is counted', async () => {
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
    perQueue: 2,
  })
  await recentDeliveries.keep([
    {
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
      isTruncated: false,
    },
  ])
  await deliveryLog.append(['first', 'second'].map((message) => ({ queue: device.id, body: `m 1\n"${message}"` })))

  await deliveries.resend(device, 'dl_99')

  const waiting = await deliveries.listPending(device.id, { limit: 10 })
  expect(waiting.map(({ message }) => message)).toEqual(['"second"', '{"again":true}'])
  expect(dropped).toEqual([[device.id, url, 1]])
})
