import { describe, expect, test } from 'vitest'
import { createMemoryLog } from '../../../src/adapters/memory/log.ts'
import { createMemoryRecentDeliveries } from '../../../src/adapters/memory/recent-deliveries.ts'
import { createMemoryStore } from '../../../src/adapters/memory/store.ts'
import { createReadingBudget } from '../../../src/concurrency/reading-budget.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { toOperationRequest } from '../../../src/http/operation/operation-request.ts'
import type { DeliveryAttempt, RecentDelivery } from '../../../src/ports/storage/recent-deliveries.ts'
import { createDeliveries } from '../../../src/relays/deliveries/deliveries.ts'
import { deliveryOperations } from '../../../src/relays/deliveries/delivery-operations.ts'
import { createQueueFailures } from '../../../src/relays/deliveries/queue-failures.ts'
import { createRelayLimits } from '../../../src/relays/update/relay-limits.ts'
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

async function someDeliveries({ perQueue = 2 } = {}) {
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
    bound: () => ({ perQueue }),
  })
  const append = (...messages: string[]) =>
    deliveryLog.append(messages.map((message) => ({ queue: device.id, body: `m 1\n"${message}"` })))
  async function buryAll(): Promise<void> {
    const [lease = expect.unreachable()] = await deliveryLog.lease({ queues: 1, entries: 1_000_000, leaseMs: 1_000 })
    const buried = lease.entries.map(({ seq }) => ({ seq, reason: 'refused' }))
    await deliveryLog.settle(lease, { accepted: [], buried })
  }
  const limits = createRelayLimits({ clock })
  const operations = deliveryOperations({
    devices: { getOwned: async () => device } as never,
    deliveries: { ...deliveries, resendBuried: (...args) => resendBuried(...args) },
    deliveryMetrics: { list: async () => [] },
    limits,
    budget: createReadingBudget({ sleep: clock.sleep, sizeOf: () => 1 }),
    clock,
  })
  let resendBuried = deliveries.resendBuried
  const request = toOperationRequest<'resendBuriedDeliveries'>(
    { path: { deviceId: device.id } },
    { principal: { kind: 'user', userId: 'u', accountId: 'acme', clientId: 'app', scopes: [], tokenId: 't' } },
  )
  return {
    deliveries,
    deliveryLog,
    recentDeliveries,
    dropped,
    append,
    buryAll,
    limits,
    resendAll: async () => (await operations.resendBuriedDeliveries(request)).body,
    /** From now on, each portion of a resend takes this time. */
    slowDown(ms: number): void {
      resendBuried = async (...args) => {
        await clock.advance(ms)
        return deliveries.resendBuried(...args)
      }
    },
  }
}

const many = 1_234
const names = Array.from({ length: many }, (_, n) => `${n}`)

describe('a request to resend all buried messages', () => {
  test('resends all of them, however many they are, in their order', async () => {
    const { append, buryAll, resendAll, deliveries } = await someDeliveries({ perQueue: 10_000 })
    await append(...names)
    await buryAll()

    expect(await resendAll()).toEqual({ resent: many, buried: 0 })
    const waiting = await deliveries.listPending(device, { limit: many })
    expect(waiting.map(({ message }) => message)).toEqual(names.map((name) => `"${name}"`))
    expect(await resendAll()).toEqual({ resent: 0, buried: 0 })
  })

  test('ends after 5 s, and says how many are left', async () => {
    const { append, buryAll, resendAll, slowDown } = await someDeliveries({ perQueue: 10_000 })
    await append(...names)
    await buryAll()
    slowDown(1_000)

    expect(await resendAll()).toEqual({ resent: 500, buried: many - 500 })
    expect(await resendAll()).toEqual({ resent: 500, buried: many - 1_000 })
  })

  test('ends where the account has resent as many messages as it may in a minute', async () => {
    const { append, buryAll, resendAll, limits } = await someDeliveries({ perQueue: 10_000 })
    await append(...names)
    await buryAll()
    limits.countResends('acme', 9_900)

    expect(await resendAll()).toEqual({ resent: 100, buried: many - 100 })
    await expect(resendAll()).rejects.toMatchObject({ code: 'too_many_requests' })
  })

  test('drops no message that waits: it resends as many as the backlog has room for', async () => {
    const { append, buryAll, resendAll, deliveries } = await someDeliveries({ perQueue: 3 })
    await append('a', 'b', 'c')
    await buryAll()
    await append('d', 'e')

    expect(await resendAll()).toEqual({ resent: 1, buried: 2 })
    expect(await resendAll()).toEqual({ resent: 0, buried: 2 })
    const waiting = await deliveries.listPending(device, { limit: 10 })
    expect(waiting.map(({ message }) => message)).toEqual(['"d"', '"e"', '"a"'])
  })
})

test('a resend counts against the backlog: the oldest pending message leaves, and the drop is counted', async () => {
  const { deliveries, recentDeliveries, dropped, append } = await someDeliveries()
  await recentDeliveries.keep([aDelivered()])
  await append('first', 'second')

  await deliveries.resend(device, 'dl_99')

  const waiting = await deliveries.listPending(device, { limit: 10 })
  expect(waiting.map(({ message }) => message)).toEqual(['"second"', '{"again":true}'])
  expect(dropped).toEqual([[device.id, url, 1]])
})

test('buried messages are queued again together, the oldest first, up to the limit', async () => {
  const { deliveries, append, buryAll } = await someDeliveries()
  await append('a', 'b')
  await buryAll()

  expect(await deliveries.resendBuried(device, 1)).toBe(1)
  const waiting = await deliveries.listPending(device, { limit: 10 })
  expect(waiting.map(({ message }) => message)).toEqual(['"a"'])
  expect([await deliveries.resendBuried(device, 5), await deliveries.resendBuried(device, 5)]).toEqual([1, 0])
})

test('a message that is resent keeps its attempts: while it waits, when it is set aside again, and when it is delivered', async () => {
  const { deliveries, deliveryLog, recentDeliveries, append, buryAll } = await someDeliveries()
  const attempt = (startedAtMs: number, status: number): DeliveryAttempt => ({
    startedAtMs,
    durationMs: 5,
    url,
    status,
    outcome: status === 204 ? 'accepted' : 'refused',
    reason: null,
  })
  const statuses = async (id: string) => {
    const lists = [deliveries.listPending(device, { limit: 9 }), deliveries.listBuried(device, { limit: 9 })]
    const views = [...(await Promise.all([...lists, deliveries.listDelivered(device, 9)])).flat()]
    const listed = views.find((view) => view.id === id)
    const got = await deliveries.get(device, id)
    expect(got.attempts).toEqual(listed?.attempts)
    expect(got.attemptCount).toBe(got.attempts.length)
    return got.attempts.map(({ status }) => status)
  }
  const end = (id: string, state: 'buried' | 'delivered', last: DeliveryAttempt) =>
    recentDeliveries.keep([{ ...aDelivered(), id, state, attempts: [last] }])

  await append('a')
  await buryAll()
  await end('dl_1', 'buried', attempt(1, 422))
  await deliveries.resend(device, 'dl_1')
  expect(await statuses('dl_2')).toEqual([422])

  await buryAll()
  await end('dl_2', 'buried', attempt(2, 400))
  expect(await statuses('dl_2')).toEqual([422, 400])

  await deliveries.resend(device, 'dl_2')
  const [lease = expect.unreachable()] = await deliveryLog.lease({ queues: 1, entries: 9, leaseMs: 1_000 })
  await deliveryLog.settle(lease, { accepted: [3] })
  await end('dl_3', 'delivered', attempt(3, 204))
  expect(await statuses('dl_3')).toEqual([422, 400, 204])
})

test('an ID finds its own message, not the next one that waits or was set aside', async () => {
  const { deliveries, deliveryLog, append } = await someDeliveries()
  await append('accepted', 'refused', 'accepted', 'pending')
  const [lease = expect.unreachable()] = await deliveryLog.lease({ queues: 1, entries: 3, leaseMs: 1_000 })
  const [first = 0, second = 0, third = 0] = lease.entries.map(({ seq }) => seq)
  await deliveryLog.settle(lease, { accepted: [first, third], buried: [{ seq: second, reason: 'refused' }] })

  const find = (seq: number) =>
    deliveries.get(device, `dl_${seq}`).then(
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
