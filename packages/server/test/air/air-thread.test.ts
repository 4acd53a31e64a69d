/** The real thread. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { type AirThread, type StartAirThreadOptions, startAirThread } from '../../src/air/thread/start-air-thread.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { silentLogger } from '../a-server.ts'
import { anAircraft, aReceivedReport, roof1 } from './an-air.ts'

const areas = { type: 'FeatureCollection' as const, features: [] }

function aThread(given: Partial<StartAirThreadOptions> = {}) {
  const clock = createManualClock()
  const errors: { err?: unknown }[] = []
  const logger = { ...silentLogger, error: (fields: object) => void errors.push(fields) }
  const thread = startAirThread({ maxTargets: 100, separation: 'automatic', logger, clock, ...given })
  onTestFinished(() => thread.close())
  const open = () => thread.request({ kind: 'open', accountId: 'a', nowMs: clock.now(), parts: [], areas })
  return { thread, clock, errors, open }
}

/** A position for which the thread asks the terrain function. */
function sendReport(thread: AirThread, latDegrees: number): Promise<unknown> {
  const entryAtMs = Date.UTC(2026, 0, 7)
  const position = { lat: latDegrees, lon: 24, accuracy: 20 }
  const aircraft = anAircraft('461F9C', entryAtMs, { position })
  const report = aReceivedReport(roof1, 1, entryAtMs, [aircraft])
  return thread.request({ kind: 'reports', accountId: 'a', entryAtMs, reports: [report] })
}

const terrainUrl = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`

test('a thread that ends refuses its requests, and is started again after a pause that doubles', async () => {
  const { thread, clock, errors, open } = aThread()

  for (const pauseMs of [1_000, 2_000]) {
    await open()
    const starts = thread.starts()
    // A message that the thread cannot read ends it, as a mistake in its code would.
    thread.command({ kind: 'request' } as never)
    await expect(thread.request({ kind: 'whole', accountId: 'a' })).rejects.toThrow('has ended')

    const opened = open()
    await clock.advance(pauseMs - 1)
    expect(thread.starts()).toBe(starts)
    await clock.advance(1)
    await opened
    expect(thread.starts()).toBe(starts + 1)
  }
  expect(errors).toHaveLength(2)
})

test('a thread that worked for a minute is started again after a second', async () => {
  const { thread, clock, open } = aThread()
  for (let times = 0; times < 2; times++) {
    await open()
    await clock.advance(60_000)
    thread.command({ kind: 'request' } as never)
    await expect(thread.request({ kind: 'whole', accountId: 'a' })).rejects.toThrow('has ended')

    const opened = open()
    await clock.advance(1_000)
    await opened
  }
  expect(thread.starts()).toBe(3)
})

test('a thread that hangs is ended, and the request that it worked on is known', async () => {
  const { thread, clock, open } = aThread({ terrainUrl: terrainUrl('export default (lat) => { while (lat > 80); }') })
  await open()
  let ending: unknown
  void sendReport(thread, 81).catch((error) => (ending = error))
  const other = thread.request({ kind: 'whole', accountId: 'a' })
  void other.catch(() => {})

  await vi.waitFor(
    async () => {
      await clock.advance(10_000)
      expect(ending).toMatchObject({ name: 'AirThreadEnded', wasAtWork: true })
    },
    { interval: 100 },
  )
  await expect(other).rejects.toMatchObject({ name: 'AirThreadEnded', wasAtWork: false })
})

test('a thread whose clock is advanced while it works is not ended', async () => {
  const { thread, clock, errors, open } = aThread()
  const opened = open()
  for (let n = 0; n < 100; n++) await clock.advance(10_000)

  await opened
  expect([thread.starts(), errors]).toEqual([1, []])
})

test('a thread that has no work is not ended', async () => {
  const { thread, clock, errors, open } = aThread()
  await open()
  for (let n = 0; n < 20; n++) await clock.advance(10_000)

  await thread.request({ kind: 'whole', accountId: 'a' })
  expect(errors).toEqual([])
})

test('a thread that needs too much memory ends, and the process goes on', async () => {
  const flood = 'const kept = []; export default (lat) => { while (lat > 80) kept.push({ lat, of: [lat] }) }'
  const resourceLimits = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8 }
  const { thread, clock, errors, open } = aThread({ terrainUrl: terrainUrl(flood), resourceLimits })
  await open()

  await expect(sendReport(thread, 81)).rejects.toMatchObject({ name: 'AirThreadEnded', wasAtWork: true })
  expect(errors).toMatchObject([{ err: { code: 'ERR_WORKER_OUT_OF_MEMORY' } }])

  const opened = open()
  await clock.advance(1_000)
  await opened
})

test('a snapshot of the thread is what the next one continues from', async () => {
  const clock = createManualClock()
  const options = { maxTargets: 100, separation: 'automatic', logger: silentLogger, clock } as const
  const [first, second] = [startAirThread(options), startAirThread(options)]
  onTestFinished(async () => void (await Promise.all([first.close(), second.close()])))
  const entryAtMs = clock.now()
  const report = aReceivedReport(roof1, 1, entryAtMs, [anAircraft('461F9C', entryAtMs)])
  await first.request({ kind: 'open', accountId: 'a', nowMs: entryAtMs, parts: [], areas })
  await first.request({ kind: 'reports', accountId: 'a', entryAtMs, reports: [report] })

  const { parts } = await first.request({ kind: 'snapshot', accountId: 'a' })
  await second.request({ kind: 'open', accountId: 'a', nowMs: entryAtMs, parts, areas })

  expect(await second.request({ kind: 'whole', accountId: 'a' })).toBe(
    await first.request({ kind: 'whole', accountId: 'a' }),
  )
})
