import type { PositionData } from '@posrep/spec'
import { expect, test } from 'vitest'
import { createClockOffset } from '../../src/delivery/clock-offset.ts'
import { simulatorSource } from '../../src/sources/simulator/simulator-source.ts'
import { runSource } from '../../src/sources/source.ts'
import { anAgent, aPosition } from '../support/an-agent.ts'

/** No time passes in which a clock could drift. */
const clock = { elapsed: () => 0 }

/** The `Date` header of a service whose clock is `aheadMs` ahead. */
function dateAt(localMs: number, aheadMs: number): string {
  return new Date(localMs + aheadMs).toUTCString()
}

test('one answer tells the offset within half a second', () => {
  const offset = createClockOffset(clock)
  expect(offset.value()).toBeUndefined()

  offset.observe(dateAt(100_400, 7_000), 100_400, 100_400)

  const { offsetMs = 0, errorMs = 0 } = offset.value() ?? {}
  expect(errorMs).toBe(500)
  expect(Math.abs(offsetMs - 7_000)).toBeLessThanOrEqual(errorMs)
})

test('many answers at different parts of the second tell it more exactly', () => {
  const offset = createClockOffset(clock)
  for (let at = 0; at < 60; at += 1) {
    const sentAtMs = at * 1_137
    offset.observe(dateAt(sentAtMs + 20, -3_250), sentAtMs, sentAtMs + 40)
  }

  const { offsetMs = 0, errorMs = 999 } = offset.value() ?? {}
  expect(errorMs).toBeLessThan(60)
  expect(Math.abs(offsetMs + 3_250)).toBeLessThanOrEqual(errorMs)
})

test('after a clock was set, the old answers are forgotten', () => {
  const offset = createClockOffset(clock)
  offset.observe(dateAt(0, 0), 0, 0)

  offset.observe(dateAt(10_000, 3_600_000), 10_000, 10_000)

  expect(offset.value()?.offsetMs).toBeGreaterThan(3_590_000)
})

test('an answer without a usable date tells nothing', () => {
  const offset = createClockOffset(clock)
  offset.observe(null, 0, 0)
  offset.observe('soon', 0, 0)
  expect(offset.value()).toBeUndefined()
})

test('a clock that is wrong by more than 5 s is one alarm, and serviceTime() corrects it', async () => {
  const { agent, clock, alarms } = anAgent(
    () => new Response('', { status: 202, headers: { date: dateAt(clock.now(), -90_000) } }),
  )
  expect(agent.serviceTime()).toBe(clock.now())

  for (let at = 0; at < 3; at += 1) {
    await agent.report(aPosition(at))
    await clock.advance(1_000)
  }

  expect(alarms).toMatchObject([{ code: 'clock_wrong', message: expect.stringContaining('ahead of') }])
  const { offsetMs = 0, errorMs = 0 } = agent.stats().clockOffset ?? {}
  expect(Math.abs(offsetMs + 90_000)).toBeLessThanOrEqual(errorMs)
  expect(agent.serviceTime()).toBe(clock.now() + offsetMs)
})

test('a clock that is right raises no alarm', async () => {
  const { agent, clock, alarms } = anAgent(
    () => new Response('', { status: 202, headers: { date: dateAt(clock.now(), 0) } }),
  )

  await agent.report(aPosition(1))
  await clock.advance(1_000)

  expect(alarms).toEqual([])
})

test('a clock that was set right ends the state, and the next difference is another alarm', async () => {
  let aheadMs = -90_000
  const { agent, clock, alarms } = anAgent(
    () => new Response('', { status: 202, headers: { date: dateAt(clock.now(), aheadMs) } }),
  )
  const answered = async () => {
    await agent.report(aPosition(clock.now()))
    await clock.advance(2_000)
  }

  await answered()
  expect(agent.stats().clockWrong).toBe(true)
  aheadMs = 0
  await answered()
  expect(agent.stats().clockWrong).toBe(false)
  aheadMs = 60_000
  await answered()

  expect(alarms.map(({ code }) => code)).toEqual(['clock_wrong', 'clock_wrong'])
})

test('with correctClock the times that sources take from a wrong clock are corrected, once the difference is certain', async () => {
  const { agent, clock } = anAgent(
    () => new Response('', { status: 202, headers: { date: dateAt(clock.now(), 90_000) } }),
    { correctClock: true },
  )
  const stop = new AbortController()
  const stamps: number[] = []
  const source = simulatorSource({ targets: 1 })
  const observed = {
    ...agent,
    report: async (positions: PositionData | readonly PositionData[]) => {
      for (const { sourceTimeStamp } of [positions].flat()) stamps.push(Date.parse(sourceTimeStamp) - clock.now())
      await agent.report(positions)
    },
  }
  const running = runSource(source, observed, { clock, signal: stop.signal })

  await clock.advance(10_000)
  stop.abort()
  await running

  expect(stamps[0]).toBe(0)
  const corrections = new Set(stamps.slice(3))
  expect(corrections.size).toBe(1)
  expect(Math.abs([...corrections][0] ?? 0)).toBeGreaterThan(89_000)
  expect(agent.clockCorrectionMs()).toBe([...corrections][0])
})

test('a clock that is right, and one without correctClock, is not corrected', async () => {
  for (const [aheadMs, correctClock] of [
    [0, true],
    [90_000, false],
  ] as const) {
    const { agent, clock } = anAgent(
      () => new Response('', { status: 202, headers: { date: dateAt(clock.now(), aheadMs) } }),
      { correctClock },
    )
    await agent.report(aPosition(1))
    await clock.advance(2_000)
    expect(agent.clockCorrectionMs()).toBe(0)
  }
})

test('an answer that took long corrects nothing', async () => {
  const { agent, clock } = anAgent(
    async () => {
      await clock.sleep(8_000)
      return new Response('', { status: 202, headers: { date: dateAt(clock.now(), 90_000) } })
    },
    { correctClock: true },
  )
  await agent.report(aPosition(1))
  await clock.advance(10_000)
  expect(agent.stats().accepted).toBe(1)
  expect(agent.clockCorrectionMs()).toBe(0)
})
