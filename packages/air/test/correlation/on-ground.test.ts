import { expect, test } from 'vitest'
import { createCorrelator } from '../../src/correlation/correlator.ts'
import { aReception, at, type Flight, tick } from './a-reception.ts'

const roll: Flight = { latDegrees: 60, lonDegrees: 25, velocity: [30, 0] }
const cruise: Flight = { latDegrees: 60, lonDegrees: 25, velocity: [230, 0] }

function groundAfter(reports: { onGround?: boolean; along: Flight; sensor?: string; upMetresPerSecond?: number }[]) {
  const tracker = createCorrelator()
  for (const [seconds, { along, sensor = 'a', ...given }] of reports.entries()) {
    tracker.observe(aReception({ sensor, icao: '460001', ...at(along, seconds), ...given }))
    tick(tracker, seconds)
  }
  return [...tracker.tracks()][0]?.onGround
}

const onGround = { onGround: true, along: roll }

test('a target is on the ground while its latest position says so', () => {
  expect(groundAfter([onGround, onGround])).toBe(true)
  expect(groundAfter([onGround, { onGround: false, along: roll }])).toBe(false)
})

test('a sensor that leaves out what it said of the ground before takes it back', () => {
  expect(groundAfter([onGround, onGround, { along: roll }])).toBeUndefined()
})

test('a sensor that never says whether targets are on the ground changes nothing', () => {
  expect(groundAfter([onGround, onGround, { along: roll, sensor: 'radar' }])).toBe(true)
})

test('a target is not on the ground that is too fast for it or climbs, whatever its sensor says', () => {
  const fast = { onGround: true, along: cruise }
  expect(groundAfter([fast, fast, fast])).toBeUndefined()
  expect(groundAfter([onGround, { ...onGround, upMetresPerSecond: 10 }])).toBeUndefined()
})
