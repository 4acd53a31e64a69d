import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { createDeliveryMetrics } from '../../../src/relays/deliveries/delivery-metrics.ts'
import { roof1, roof2 } from '../../a-server.ts'
import { storages } from '../../identity/stores.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

describe.each(storages)('the attempts of a minute over $name', ({ open }) => {
  async function someMetrics() {
    const clock = createManualClock()
    await clock.advance(minuteMs - (clock.now() % minuteMs))
    const { store } = await open({ clock })
    const create = () => createDeliveryMetrics({ store, clock, logger: { warn() {} }, windowMs: hourMs })
    const metrics = create()
    const record = (kind: 'accepted' | 'retry', durationMs = 10, deviceUrn = roof1, by = metrics) => {
      const attempt = { startedAtMs: clock.now(), durationMs, url: '', status: null, outcome: kind, reason: null }
      const outcome = kind === 'accepted' ? { kind } : { kind, reason: '', hasAnswer: false }
      const of = { deviceUrn, accountId: 'acme', appendedAtMs: clock.now() - 100 }
      by.record({ outcome, attempt } as never, of)
    }
    return { clock, create, metrics, record }
  }

  test('are added up per device and per account, and written when the minute has ended', async () => {
    const { clock, metrics, record } = await someMetrics()
    const startMs = clock.now()
    record('accepted', 20)
    record('accepted', 40)
    record('retry')
    record('accepted', 5, roof2)
    expect(await metrics.list({ device: roof1 })).toEqual([])
    await clock.advance(minuteMs)

    const minute = { startMs, delivered: 2, failed: 1, answerMs: 60, longestAnswerMs: 40, lagMs: 200 }
    await expect.poll(() => metrics.list({ device: roof1 })).toEqual([minute])
    await expect.poll(() => metrics.list({ account: 'acme' })).toMatchObject([{ delivered: 3, failed: 1 }])
    expect(await metrics.list({ device: roof1 }, startMs + minuteMs)).toEqual([])
  })

  test('that several processes count are all counted', async () => {
    const { create, record, metrics } = await someMetrics()
    const processes = Array.from({ length: 3 }, create)
    for (const process of processes) record('accepted', 10, roof1, process)
    await Promise.all(processes.map(({ stop }) => stop()))

    expect(await metrics.list({ device: roof1 })).toMatchObject([{ delivered: 3 }])
  })

  test('leave the list with the metric window', async () => {
    const { clock, metrics, record } = await someMetrics()
    record('accepted')
    await clock.advance(minuteMs)
    record('retry')
    await metrics.stop()
    expect(await metrics.list({ device: roof1 })).toHaveLength(2)

    await clock.advance(hourMs - minuteMs)
    expect(await metrics.list({ device: roof1 })).toMatchObject([{ delivered: 1 }, { failed: 1 }])
    await clock.advance(minuteMs)
    expect(await metrics.list({ device: roof1 })).toMatchObject([{ failed: 1 }])
  })
})
