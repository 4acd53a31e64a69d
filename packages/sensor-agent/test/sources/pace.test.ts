import { expect, test } from 'vitest'
import { replaySource } from '../../src/sources/recording/replay-source.ts'
import { simulatorSource } from '../../src/sources/simulator/simulator-source.ts'
import type { Source } from '../../src/sources/source.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { runASource } from '../support/run-a-source.ts'

const hourMs = 3_600_000
const efhk = new URL('../../../server/recordings/efhk_2026-01-07.sbs.gz', import.meta.url).pathname

const played: [string, () => Source][] = [
  ['the simulator', () => simulatorSource({ targets: 1 })],
  ['a recording in a loop', () => replaySource(efhk, { loop: true })],
]

test.each(played)(
  '%s sends nothing at once after the clock was set forward, and goes on with the new time',
  async (_, create) => {
    const clock = createManualClock()
    const source = runASource(create(), clock)
    while (source.positions.length < 20) await clock.advance(100)
    const before = source.positions.length
    const startMs = clock.now()

    clock.setWallClock(8 * hourMs)
    await clock.advance(100)
    expect(source.positions.length - before).toBeLessThan(10)
    while (source.positions.length < before + 40) await clock.advance(100)
    const times = source.positions.slice(before + 10).map(({ sourceTimeStamp }) => Date.parse(sourceTimeStamp))
    await source.stop()

    expect(Math.min(...times)).toBeGreaterThanOrEqual(startMs + 8 * hourMs)
    expect(Math.max(...times)).toBeLessThanOrEqual(clock.now())
  },
)

test.each(played)('%s sends nothing at once after the machine was suspended', async (_, create) => {
  const clock = createManualClock()
  // A suspended machine ends its sleeps late, and all of them at once.
  let suspendedMs = 0
  const resumed = { ...clock, now: () => clock.now() + suspendedMs, elapsed: () => clock.elapsed() + suspendedMs }
  const source = runASource(create(), resumed)
  while (source.positions.length < 20) await clock.advance(100)
  const before = source.positions.length

  suspendedMs = 8 * hourMs
  await clock.advance(1_000)
  await source.stop()

  expect(source.positions.length - before).toBeLessThan(60)
  expect(Date.parse(source.positions.at(-1)?.sourceTimeStamp ?? '')).toBeGreaterThan(resumed.now() - 2_000)
})
