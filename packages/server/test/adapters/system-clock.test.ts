/** The system clock over a wall clock that is set while it runs. */
import { expect, test, vi } from 'vitest'
import { createSystemClock } from '../../src/adapters/system-clock.ts'

const startMs = Date.UTC(2026, 0, 7, 6)
const secondMs = 1_000
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** A machine whose time runs as the test says. `passed` is the time of the clock since the start. */
function aMachine() {
  let elapsedMs = 0
  let setByMs = 0
  const onSetBack = vi.fn<(byMs: number) => void>()
  const clock = createSystemClock({
    onSetBack,
    monotonicTime: () => elapsedMs,
    wallTime: () => startMs + elapsedMs + setByMs,
  })
  return {
    clock,
    onSetBack,
    passed: () => clock.now() - startMs,
    setWallClock(byMs: number) {
      setByMs += byMs
    },
    /** Time passes, and the clock is read ten times a second. */
    run(ms: number) {
      for (const endMs = elapsedMs + ms; elapsedMs < endMs; elapsedMs += 100) clock.now()
    },
  }
}

test('the clock advances with the monotonic clock', () => {
  const { run, passed } = aMachine()
  run(hourMs)
  expect(passed()).toBe(hourMs)
})

test('a step forward is not taken over before it has lasted 3 s', () => {
  const { run, setWallClock, passed } = aMachine()
  run(minuteMs)
  setWallClock(hourMs)
  run(2_900)
  expect(passed()).toBe(minuteMs + 2_900)
})

test('a step forward that lasts 3 s is taken over', () => {
  const { run, setWallClock, passed } = aMachine()
  run(minuteMs)
  setWallClock(8 * hourMs)
  run(3_500)
  expect(passed()).toBe(8 * hourMs + minuteMs + 3_500)
})

test('an error of the wall clock that is corrected within 3 s changes nothing', () => {
  const { run, setWallClock, passed, onSetBack } = aMachine()
  run(minuteMs)
  for (const errorMs of [hourMs, -hourMs]) {
    setWallClock(errorMs)
    run(2 * secondMs)
    setWallClock(-errorMs)
    run(minuteMs)
  }
  expect(passed()).toBe(3 * minuteMs + 4 * secondMs)
  expect(onSetBack).not.toHaveBeenCalled()
})

test('of a step forward that was partly corrected, what remains is taken over', () => {
  const { run, setWallClock, passed } = aMachine()
  run(minuteMs)
  setWallClock(hourMs)
  run(2 * secondMs)
  setWallClock(-30 * minuteMs)
  run(10 * secondMs)
  expect(passed()).toBe(30 * minuteMs + minuteMs + 12 * secondMs)
})

test('a clock that nobody reads for a minute takes a step forward over 3 s after it sees the step', () => {
  const { run, setWallClock, passed, clock } = aMachine()
  run(secondMs)
  const before = clock.now()
  setWallClock(hourMs)
  expect(clock.now()).toBe(before)
  run(3_500)
  expect(passed()).toBe(hourMs + secondMs + 3_500)
})

test('after a step back of up to 10 minutes, the clock runs at half speed until it agrees with the wall clock', () => {
  const { run, setWallClock, clock, passed, onSetBack } = aMachine()
  run(minuteMs)
  setWallClock(-10 * minuteMs)
  run(10 * minuteMs)
  expect(passed() / minuteMs).toBeCloseTo(1 + 5, 1)
  run(10 * minuteMs)
  run(minuteMs)
  expect(Math.abs(clock.now() - clock.wallTime())).toBeLessThanOrEqual(1)
  expect(onSetBack).not.toHaveBeenCalled()
})

test('the clock never goes backwards while the wall clock is set to and fro', () => {
  const { run, setWallClock, clock } = aMachine()
  let lastMs = clock.now()
  for (const stepMs of [-1, 500, -3 * minuteMs, 2 * minuteMs, -11 * minuteMs, 12 * hourMs, -9 * minuteMs]) {
    setWallClock(stepMs)
    for (let steps = 0; steps < 50; steps++) {
      run(100)
      expect(clock.now()).toBeGreaterThanOrEqual(lastMs)
      lastMs = clock.now()
    }
  }
})

test('a step back of more than 10 minutes that lasts 3 s is reported once, with its size', () => {
  const { run, setWallClock, onSetBack, passed } = aMachine()
  run(minuteMs)
  setWallClock(-11 * minuteMs)
  run(2 * secondMs)
  expect(onSetBack).not.toHaveBeenCalled()
  run(minuteMs)
  expect(onSetBack.mock.calls).toEqual([[11 * minuteMs]])
  expect(passed()).toBe(2 * minuteMs + 2 * secondMs)
})

test('the wall time is the wall clock as it is', () => {
  const { run, setWallClock, clock } = aMachine()
  run(secondMs)
  setWallClock(-hourMs)
  expect(clock.wallTime()).toBe(startMs + secondMs - hourMs)
})
