import { describe, expect, test } from 'vitest'
import { createMemoryRecentReports } from '../../../src/adapters/memory/recent-reports.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import type { PipelineReport } from '../../../src/pipeline/stage.ts'
import { deduplicate } from '../../../src/pipeline/stages/deduplicate.ts'
import { keepRecent } from '../../../src/pipeline/stages/keep-recent.ts'
import type { SeenPositionsOptions } from '../../../src/pipeline/stages/seen-positions.ts'
import { mendReport } from '../../../src/reports/mend/mend-report.ts'
import { aPosition } from '../../a-report.ts'
import { aDevice, aPipelineReport } from '../a-pipeline-report.ts'

const windowMs = 3_600_000

/** A process. `next` starts another one with the same storage, as after a crash. */
function aProcess(limits?: SeenPositionsOptions, storage = aStorage()) {
  const { clock, recentReports } = storage
  const stage = deduplicate({
    recentReports,
    clock,
    metricWindowMs: windowMs,
    mend: mendReport,
    ...(limits && { limits }),
  })
  const keep = keepRecent({
    recentReports,
    clock,
    metricWindowMs: windowMs,
    recentBound: () => ({ limit: 1_000, maxBytes: 1_000_000, maxBytesOfClient: 1_000_000 }),
  })
  async function take(...reports: PipelineReport[]): Promise<number[][]> {
    await stage.run(reports)
    return reports.map(({ duplicates }) => [...duplicates])
  }
  return {
    clock,
    recentReports,
    take,
    async takeAndKeep(...reports: PipelineReport[]) {
      const duplicates = await take(...reports)
      await keep.run(reports)
      return duplicates
    },
    forget: (report: PipelineReport) => stage.forget?.(report),
    next: () => aProcess(limits, storage),
  }
}

function aStorage() {
  return { clock: createManualClock(0), recentReports: createMemoryRecentReports() }
}

let lastSeq = 0
function aSighting(ids: string[], { seq = ++lastSeq, time = '2026-01-07T12:00:30Z', device = aDevice } = {}) {
  const positions = ids.map((id) => aPosition({ id, sourceTimeStamp: time }))
  return aPipelineReport({ report: { positions }, seq, device, receivedAtMs: 0 })
}

test('repeated positions are tagged one by one, and the report is not changed', async () => {
  const { take } = aProcess()
  const [first, second] = [aSighting(['a', 'b']), aSighting(['b', 'c', 'a'])]
  expect(await take(first)).toEqual([[]])
  expect(await take(second)).toEqual([[0, 2]])
  expect([[...first.tags], [...second.tags]]).toEqual([[], ['duplicate']])
  expect(second.report.positions).toHaveLength(3)
})

test('when many devices are seen for the first time, a page of the recent reports of a few of them is read at a time', async () => {
  const storage = aStorage()
  const reading: (() => void)[] = []
  const list: typeof storage.recentReports.list = async (...args) => {
    await new Promise<void>((resolve) => reading.push(resolve))
    return storage.recentReports.list(...args)
  }
  const { take } = aProcess(undefined, { ...storage, recentReports: { ...storage.recentReports, list } })
  const devices = Array.from({ length: 20 }, (_, n) => ({ ...aDevice, id: `${aDevice.id}${n}` }))
  const taken = Promise.all(devices.map((device) => take(aSighting(['a'], { device }))))

  let read = 0
  while (read < devices.length) {
    await new Promise((resolve) => setImmediate(resolve))
    expect(reading.length).toBeLessThanOrEqual(8)
    read += reading.length
    for (const finish of reading.splice(0)) finish()
  }
  await taken
  expect([read, reading]).toEqual([20, []])
})

test('repetitions within one lease and within one report are found', async () => {
  const { take } = aProcess()
  expect(await take(aSighting(['a']), aSighting(['a']))).toEqual([[], [0]])
  expect(await take(aSighting(['x', 'y', 'x']))).toEqual([[2]])
})

test('the same time in another notation is a repetition, and another time is not', async () => {
  const { take } = aProcess()
  await take(aSighting(['a'], { time: '2026-01-07T12:00:30Z' }))
  expect(await take(aSighting(['a'], { time: '2026-01-07T14:00:30.000+02:00' }))).toEqual([[0]])
  expect(await take(aSighting(['a'], { time: '2026-01-07T12:00:30.001Z' }))).toEqual([[]])
})

test('a position that another device has reported is not a repetition', async () => {
  const { take } = aProcess()
  await take(aSighting(['a']))
  expect(await take(aSighting(['a'], { device: { ...aDevice, id: 'urn:aa:device:fleet:roof2' } }))).toEqual([[]])
})

test('a log entry that is processed again is not a repetition of itself', async () => {
  const { take } = aProcess()
  const entry = () => aSighting(['a', 'a'], { seq: 7_001 })
  expect(await take(entry())).toEqual([[1]])
  expect(await take(entry())).toEqual([[1]])
})

test('positions of buried reports are forgotten, because the reports may be processed again', async () => {
  const { take, forget } = aProcess()
  const buried = aSighting(['a'])
  await take(buried)
  forget(buried)
  expect(await take(aSighting(['a']))).toEqual([[]])
  expect(await take(aSighting(['a']))).toEqual([[0]])
})

describe('after a crash', () => {
  test('positions of stored reports are known', async () => {
    const before = aProcess()
    await before.takeAndKeep(aSighting(['a']))
    expect(await before.next().take(aSighting(['a']))).toEqual([[0]])
  })

  test('an entry that was stored but not settled is not a repetition of itself, and the first entry stays the first', async () => {
    const before = aProcess()
    const entries = () => [aSighting(['a'], { seq: 8_001 }), aSighting(['a'], { seq: 8_002 })]
    await before.takeAndKeep(...entries())
    expect(await before.next().take(...entries())).toEqual([[], [0]])
  })

  test('no positions are known of a device whose reports are not stored', async () => {
    const before = aProcess()
    const unstored = { ...aDevice, storePositionReports: false }
    await before.takeAndKeep(aSighting(['a'], { device: unstored }))
    expect(await before.next().take(aSighting(['a'], { device: unstored }))).toEqual([[]])
  })
})

describe('memory is bounded', () => {
  test('each device keeps its newest positions', async () => {
    const { take } = aProcess({ perDevice: 10 })
    for (let n = 0; n < 100; n++) await take(aSighting([`p${n}`]))
    expect(await take(aSighting(['p95', 'p96', 'p97', 'p98', 'p99', 'p0']))).toEqual([[0, 1, 2, 3, 4]])
  })

  test('the devices that reported most recently are kept', async () => {
    const { take } = aProcess({ inAll: 10 })
    const device = (n: number) => ({ ...aDevice, id: `urn:aa:device:fleet:d${n}` })
    for (let n = 0; n < 20; n++) await take(aSighting(['a'], { device: device(n) }))
    expect(await take(aSighting(['a'], { device: device(19) }))).toEqual([[0]])
    expect(await take(aSighting(['a'], { device: device(0) }))).toEqual([[]])
  })
})
