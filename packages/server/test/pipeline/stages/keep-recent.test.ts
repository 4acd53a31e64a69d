import { expect, test } from 'vitest'
import { createMemoryDirectory } from '../../../src/adapters/memory/directory.ts'
import { createMemoryLog } from '../../../src/adapters/memory/log.ts'
import { createMemoryRecentReports } from '../../../src/adapters/memory/recent-reports.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { createDeviceRegistry } from '../../../src/devices/registry.ts'
import { startPipeline } from '../../../src/pipeline/pipeline.ts'
import { pipelineStages } from '../../../src/pipeline/stages/stages.ts'
import { mendReport } from '../../../src/reports/mend/mend-report.ts'
import { aReport } from '../../a-report.ts'
import { silentLogger } from '../../a-server.ts'
import { aDevice } from '../a-pipeline-report.ts'

async function aDeviceThatReports() {
  const clock = createManualClock()
  const directory = createMemoryDirectory()
  await directory.insert('device', aDevice)
  const devices = createDeviceRegistry({ directory, clock })
  const [reportLog, deliveryLog] = [createMemoryLog({ clock }), createMemoryLog({ clock })]
  const recentReports = createMemoryRecentReports()
  const mend = mendReport
  const stages = pipelineStages({
    recentReports,
    deliveryLog,
    deliveryBound: () => ({ perQueue: 10 }),
    onDropped() {},
    clock,
    metricWindowMs: 3_600_000,
    recentBound: () => ({ limit: 100, maxBytes: 1_000_000, maxBytesOfClient: 1_000_000 }),
    mend,
  })
  const meter = { accepted() {}, processed() {}, buried() {}, dropped() {}, delivered() {} }
  return {
    clock,
    start: () => startPipeline({ reportLog, devices, stages, mend, clock, meter, logger: silentLogger }),
    submit: () => reportLog.append([{ queue: aDevice.id, body: JSON.stringify(aReport()) }]),
    store: (storePositionReports: boolean) =>
      devices.change(aDevice.id, (device) => ({ ...device, storePositionReports })),
    kept: async () => (await recentReports.list(aDevice.id, { sinceMs: 0, limit: 10 })).entries.length,
    minutes: async () =>
      (await recentReports.metrics([aDevice.id], 0)).get(aDevice.id)?.minutes.map(({ reports }) => reports),
    waiting: async () => (await reportLog.depth()).waiting,
  }
}

test('reports in the log are not stored after the flag is turned off, and stored reports stay', async () => {
  const { clock, start, submit, store, kept, minutes, waiting } = await aDeviceThatReports()
  const first = start()
  await submit()
  await clock.advance(0)
  await first.stop()

  await submit()
  await store(false)
  const second = start()
  await clock.advance(0)
  await submit()
  await clock.advance(0)
  await second.stop()
  expect([await waiting(), await kept(), await minutes()]).toEqual([0, 1, [1]])
})

test('reports that are accepted after the flag is turned on again are stored', async () => {
  const { clock, start, submit, store, kept } = await aDeviceThatReports()
  await store(false)
  const pipeline = start()
  await submit()
  await clock.advance(0)
  await store(true)
  await submit()
  await clock.advance(0)
  await pipeline.stop()
  expect(await kept()).toBe(1)
})
