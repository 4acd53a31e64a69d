import { expect, onTestFinished, test } from 'vitest'
import { createMemoryDirectory } from '../../src/adapters/memory/directory.ts'
import { createMemoryLog } from '../../src/adapters/memory/log.ts'
import { createMemoryRecentReports } from '../../src/adapters/memory/recent-reports.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { createDeviceRegistry } from '../../src/devices/registry.ts'
import { ApiError } from '../../src/errors.ts'
import { startPipeline } from '../../src/pipeline/pipeline.ts'
import type { PipelineReport, Stage } from '../../src/pipeline/stage.ts'
import { keepRecent } from '../../src/pipeline/stages/keep-recent.ts'
import { route } from '../../src/pipeline/stages/route.ts'
import { withDeadline } from '../../src/pipeline/stages/with-deadline.ts'
import { mendReport } from '../../src/reports/mend/mend-report.ts'
import { summarise } from '../../src/reports/report-summary.ts'
import { aClient } from '../a-client.ts'
import { aPosition, aReport } from '../a-report.ts'
import { silentLogger } from '../a-server.ts'
import { aPipelineReport } from './a-pipeline-report.ts'

const client = aClient()

const idOf = ({ report }: PipelineReport) => report.positions[0]?.id ?? ''

async function aPipeline(stages: Stage[]) {
  const clock = createManualClock()
  const reportLog = createMemoryLog({ clock })
  const devices = createDeviceRegistry({ directory: createMemoryDirectory(), clock })
  const [roof1, roof2] = [
    await devices.registerItself({ client, localId: 'roof1' }),
    await devices.registerItself({ client, localId: 'roof2' }),
  ]
  const processed: number[][] = []
  let buried = 0
  const meter = {
    accepted() {},
    processed: (...counts: number[]) => void processed.push(counts),
    buried: (_log: string, entries: number) => void (buried += entries),
    delivered() {},
    dropped() {},
  }
  const pipeline = startPipeline({
    reportLog,
    devices,
    stages,
    mend: mendReport,
    clock,
    meter,
    logger: silentLogger,
  })
  onTestFinished(() => pipeline.stop())

  return {
    clock,
    devices,
    reportLog,
    roof1: roof1.id,
    roof2: roof2.id,
    processed,
    buried: () => buried,
    submit: (urn: string, ...ids: string[]) =>
      reportLog.append(
        ids.map((id) => ({ queue: urn, body: JSON.stringify(aReport({ positions: [aPosition({ id })] })) })),
      ),
  }
}

/** Records the reports as `<stage> <id>`, and throws the error that `failing` returns. */
function aStage(name: string, seen: string[], failing: (id: string) => unknown = () => undefined): Stage {
  return {
    name,
    run(reports) {
      for (const report of reports) {
        seen.push(`${name} ${idOf(report)}`)
        const failure = failing(idOf(report))
        if (failure !== undefined) throw failure
      }
    },
  }
}

test('stages run in order, and reports in the order of acceptance', async () => {
  const seen: string[] = []
  const { submit, roof1, clock, reportLog, processed } = await aPipeline([aStage('a', seen), aStage('b', seen)])
  await submit(roof1, '1', '2')
  await clock.advance(0)

  expect(seen).toEqual(['a 1', 'a 2', 'b 1', 'b 2'])
  expect([(await reportLog.depth()).waiting, processed]).toEqual([0, [[2, 2, 0]]])
})

test('a stage sees the device, the logged text and the time of acceptance', async () => {
  const seen: PipelineReport[] = []
  const { submit, roof1, clock } = await aPipeline([{ name: 'look', run: (reports) => void seen.push(...reports) }])
  const acceptedAtMs = clock.now()
  await submit(roof1, '1')
  await clock.advance(0)

  expect(seen).toEqual([
    expect.objectContaining({
      device: expect.objectContaining({ id: roof1 }),
      text: JSON.stringify(aReport({ positions: [aPosition({ id: '1' })] })),
      receivedAtMs: acceptedAtMs,
      tags: new Set(),
    }),
  ])
})

test('a report that fails in a stage is tried three times and buried, and the others continue', async () => {
  const seen: string[] = []
  const poison = aStage('a', seen, (id) => (id === '2' ? new TypeError('no such thing') : undefined))
  const { submit, roof1, clock, reportLog, buried } = await aPipeline([poison, aStage('b', seen)])
  await submit(roof1, '1', '2', '3')
  await clock.advance(2_000)

  expect(seen.filter((entry) => entry.startsWith('b'))).toEqual(['b 1', 'b 3'])
  expect(seen.filter((entry) => entry === 'a 2')).toHaveLength(1 + 3)
  expect([await reportLog.depth(), buried()]).toMatchObject([{ waiting: 0, buried: 1 }, 1])
})

test('no report is lost when a stage fails once', async () => {
  const seen: string[] = []
  let failures = 2
  const flaky = aStage('a', seen, () => (failures-- > 0 ? new Error('fails once') : undefined))
  const { submit, roof1, clock, reportLog } = await aPipeline([flaky])
  await submit(roof1, '1')
  await clock.advance(2_000)
  expect(await reportLog.depth()).toMatchObject({ waiting: 0, buried: 0 })
})

test('no report is buried while the store is unavailable, and the pipeline continues when it is available again', async () => {
  const seen: string[] = []
  let isAway = true
  const away = aStage('a', seen, () => (isAway ? new ApiError('unavailable', 'the store is unavailable') : undefined))
  const { submit, roof1, clock, reportLog } = await aPipeline([away, aStage('b', seen)])
  await submit(roof1, '1', '2')
  await clock.advance(30_000)
  expect(await reportLog.depth()).toMatchObject({ waiting: 2, buried: 0 })

  isAway = false
  await clock.advance(2_000)
  expect(seen.filter((entry) => entry.startsWith('b'))).toEqual(['b 1', 'b 2'])
  expect(await reportLog.depth()).toMatchObject({ waiting: 0, buried: 0 })
})

test('a device whose reports fail does not delay another one', async () => {
  const seen: string[] = []
  const poison = aStage('a', seen, (id) => (id === 'bad' ? new Error('poison') : undefined))
  const { submit, roof1, roof2, clock } = await aPipeline([poison, aStage('b', seen)])
  await submit(roof1, 'bad')
  await submit(roof2, 'good')
  await clock.advance(0)
  expect(seen).toContain('b good')
})

test('a device does not wait while the reports of many other devices fail', async () => {
  const seen: string[] = []
  const poison = aStage('a', seen, (id) => (id === 'bad' ? new Error('poison') : undefined))
  const { submit, devices, roof1, clock, reportLog } = await aPipeline([poison, aStage('b', seen)])
  for (let n = 0; n < 100; n++) {
    const { id } = await devices.registerItself({ client, localId: `bad${n}` })
    await submit(id, 'bad')
  }
  await submit(roof1, 'good')
  await clock.advance(0)
  expect(seen).toContain('b good')

  await clock.advance(5_000)
  expect(await reportLog.depth()).toMatchObject({ waiting: 0, buried: 100 })
})

test('an entry that is not a report is buried with the reason, and the others continue', async () => {
  const seen: string[] = []
  const { reportLog, submit, roof1, clock } = await aPipeline([aStage('a', seen)])
  await reportLog.append([{ queue: roof1, body: 'not JSON' }])
  await submit(roof1, '1')
  await clock.advance(2_000)
  expect(seen).toEqual(['a 1'])
  expect(await reportLog.listBuried({ limit: 10 })).toMatchObject([
    { queue: roof1, body: 'not JSON', reason: expect.stringMatching(/^The entry cannot be read: /) },
  ])
})

test('the reason of a buried report names the stage and the error, and every stage forgets the report', async () => {
  const forgotten: string[] = []
  const stage: Stage = {
    ...aStage('geofence', [], () => new TypeError('no such area')),
    forget: (report) => void forgotten.push(idOf(report)),
  }
  const { reportLog, submit, roof1, clock } = await aPipeline([stage])
  await submit(roof1, '1')
  await clock.advance(2_000)
  const [buried] = await reportLog.listBuried({ limit: 10 })
  expect([buried?.reason, forgotten]).toEqual(['Stage "geofence" threw: no such area', ['1']])
})

test('a buried report that is unburied is processed when the stage does not fail any more', async () => {
  const seen: string[] = []
  let isBroken = true
  const poison = aStage('a', seen, () => (isBroken ? new Error('broken') : undefined))
  const { reportLog, submit, roof1, clock } = await aPipeline([poison, aStage('b', seen)])
  await submit(roof1, '1')
  await clock.advance(2_000)
  isBroken = false
  const buried = await reportLog.listBuried({ limit: 10 })
  expect(await reportLog.unbury(buried.map(({ seq }) => seq))).toBe(1)
  await clock.advance(1_000)
  expect(seen).toContain('b 1')
})

test('a change by the user applies to the next stage of a report in the pipeline', async () => {
  const flags: boolean[] = []
  let release = () => {}
  const slow: Stage = { name: 'slow', run: () => new Promise((resolve) => (release = resolve)) }
  const look: Stage = { name: 'look', run: ([report]) => void flags.push(report?.device.storePositionReports === true) }
  const { devices, submit, roof1, clock } = await aPipeline([slow, look])
  await submit(roof1, '1')
  await clock.advance(0)
  await devices.change(roof1, (current) => ({ ...current, storePositionReports: false }))
  await clock.advance(500)
  release()
  await clock.advance(0)
  expect(flags).toEqual([false])
})

test('a report whose stage never ends is buried after the deadline', async () => {
  const seen: string[] = []
  const hung: Stage = {
    name: 'hung',
    run: ([report]) => (report && idOf(report) === '1' ? new Promise(() => {}) : undefined),
  }
  const clockOfStage = createManualClock()
  const { reportLog, submit, roof1, clock } = await aPipeline([withDeadline(hung, clockOfStage), aStage('b', seen)])
  await submit(roof1, '1', '2')
  for (let passedMs = 0; passedMs < 60_000; passedMs += 500) {
    await clockOfStage.advance(500)
    await clock.advance(500)
  }
  expect(seen).toEqual(['b 2'])
  expect(await reportLog.listBuried({ limit: 10 })).toMatchObject([
    { reason: 'Stage "hung" threw: It took longer than 10 s' },
  ])
})

test('the summary of the entry is used, and the report is parsed from the logged text', async () => {
  const seen: PipelineReport[] = []
  const { reportLog, roof1, clock } = await aPipeline([{ name: 'look', run: (reports) => void seen.push(...reports) }])
  const report = aReport()
  const summary = { ...summarise(report, true), positions: 7 }
  await reportLog.append([{ queue: roof1, body: JSON.stringify(report), value: summary }])
  await clock.advance(0)
  expect(seen[0]?.summary).toEqual(summary)
  expect([seen[0]?.report, seen[0]?.text]).toEqual([report, JSON.stringify(report)])
  expect([...(seen[0]?.tags ?? [])]).toEqual(['mended'])
})

test('many reports that fail are all buried, in more than one lease', async () => {
  const { submit, roof1, clock, reportLog } = await aPipeline([aStage('a', [], () => new Error('poison'))])
  await submit(roof1, ...Array.from({ length: 100 }, (_, n) => String(n)))
  await clock.advance(60_000)
  expect(await reportLog.depth()).toMatchObject({ waiting: 0, buried: 100 })
})

test('reports of a deleted device are buried and counted', async () => {
  const { submit, clock, reportLog, buried } = await aPipeline([])
  await submit('urn:aa:device:fleet:gone', '1', '2')
  await clock.advance(0)
  expect([await reportLog.depth(), buried()]).toMatchObject([{ waiting: 0, buried: 2 }, 2])
})

test('reports that are processed again after a crash are stored once, and their deliveries have the same ids', async () => {
  const clock = createManualClock()
  const recentReports = createMemoryRecentReports()
  const deliveryLog = createMemoryLog({ clock })
  const stages = [
    keepRecent({
      recentReports,
      clock,
      metricWindowMs: 3_600_000,
      recentBound: () => ({ limit: 100, maxBytes: 1_000_000, maxBytesOfClient: 1_000_000 }),
    }),
    route({ deliveryLog }),
  ]
  const relay = { url: 'https://relay.example/', state: 'Active' as const, failureDescription: null, sinceMs: 0 }
  const { devices, roof1 } = await aPipeline([])
  const device = await devices.change(roof1, (current) => ({ ...current, relay }))
  const again = aPipelineReport({ device, receivedAtMs: clock.now() })
  for (const stage of [...stages, ...stages]) await stage.run([again])

  const { entries } = await recentReports.list(roof1, { sinceMs: 0, limit: 10 })
  const [lease] = await deliveryLog.lease({ queues: 1, entries: 10, leaseMs: 1_000 })
  const ids = lease?.entries.map(({ body }) => body.split(' ')[0])
  expect(entries).toHaveLength(1)
  expect([ids?.length, new Set(ids).size]).toEqual([2, 1])
})

test('a report that is in a stage when its lease ends enters no further stage until it is leased again', async () => {
  const hung = Promise.withResolvers<void>()
  const ran: string[] = []
  const { submit, roof1, clock } = await aPipeline([
    {
      name: 'first',
      async run() {
        ran.push('first')
        if (ran.length === 1) await hung.promise
      },
    },
    { name: 'second', run: () => void ran.push('second') },
  ])
  await submit(roof1, '1')
  await clock.advance(30_000)
  expect(ran).toEqual(['first'])

  hung.resolve()
  await clock.advance(3_000)

  expect(ran).toEqual(['first', 'first', 'second'])
})
