import { expect, onTestFinished, test } from 'vitest'
import { createMemoryDirectory } from '../../../src/adapters/memory/directory.ts'
import { createMemoryLog } from '../../../src/adapters/memory/log.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { createDeviceRegistry } from '../../../src/devices/registry.ts'
import { ApiError } from '../../../src/errors.ts'
import { startPipeline } from '../../../src/pipeline/pipeline.ts'
import { route } from '../../../src/pipeline/stages/route.ts'
import type { DeliveryLog } from '../../../src/ports/storage/log.ts'
import { mendReport } from '../../../src/reports/mend/mend-report.ts'
import { aClient } from '../../a-client.ts'
import { aReport } from '../../a-report.ts'
import { silentLogger } from '../../a-server.ts'

/** A device with an Active relay, and a pipeline that routes its reports to `deliveryLog`. */
async function aRoutedDevice(wrap: (deliveryLog: DeliveryLog) => DeliveryLog) {
  const clock = createManualClock()
  const reportLog = createMemoryLog({ clock })
  const dropped: unknown[][] = []
  const deliveryLog = createMemoryLog({ clock })
  const devices = createDeviceRegistry({ directory: createMemoryDirectory(), clock })
  const { id: roof1 } = await devices.registerItself({ client: aClient(), localId: 'roof1' })
  const relay = { url: 'https://relay.example/', state: 'Active' as const, failureDescription: null, sinceMs: 0 }
  await devices.change(roof1, (current) => ({ ...current, relay }))
  const pipeline = startPipeline({
    reportLog,
    devices,
    stages: [
      route({ deliveryLog: wrap(deliveryLog), onDropped: (deviceUrn, ...drop) => dropped.push([deviceUrn, ...drop]) }),
    ],
    mend: mendReport,
    clock,
    meter: { accepted() {}, processed() {}, buried() {}, delivered() {}, dropped() {} },
    logger: silentLogger,
  })
  onTestFinished(() => pipeline.stop())
  const waiting = async () => [(await reportLog.depth()).waiting, (await deliveryLog.depth()).waiting]
  return {
    clock,
    roof1,
    dropped,
    waiting,
    submit: () => reportLog.append([{ queue: roof1, body: JSON.stringify(aReport()) }]),
  }
}

test('a report stays in its log until the delivery log has its delivery', async () => {
  const durable = Promise.withResolvers<void>()
  const { clock, waiting, submit } = await aRoutedDevice((log) => ({
    ...log,
    append: async (...args) => {
      await durable.promise
      return log.append(...args)
    },
  }))

  await submit()
  await clock.advance(0)
  expect(await waiting()).toEqual([1, 0])

  durable.resolve()
  await clock.advance(0)
  expect(await waiting()).toEqual([0, 1])
})

test('a report whose delivery is refused once is delivered when the log is available again', async () => {
  let refusals = 1
  const { clock, waiting, submit } = await aRoutedDevice((log) => ({
    ...log,
    append: async (...args) => {
      if (refusals-- > 0) throw new ApiError('unavailable', 'the log is away')
      return log.append(...args)
    },
  }))

  await submit()
  await clock.advance(0)
  expect(await waiting()).toEqual([1, 0])

  await clock.advance(1_250)
  expect(await waiting()).toEqual([0, 1])
})

test('deliveries that the log drops are counted for the device that lost them', async () => {
  const other = 'urn:aa:device:other:1'
  const { clock, roof1, dropped, submit } = await aRoutedDevice((log) => ({
    ...log,
    append: async () => ({ dropped: 2, others: [{ queue: other, entries: 3 }] }),
  }))

  await submit()
  await clock.advance(0)

  expect(dropped).toEqual([
    [roof1, 'https://relay.example/', 2],
    [other, undefined, 3],
  ])
})
