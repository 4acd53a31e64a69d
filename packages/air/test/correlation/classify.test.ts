import type { TargetType } from '@posrep/spec'
import { expect, test } from 'vitest'
import { createCorrelator } from '../../src/correlation/correlator.ts'
import { aReception, at, type Flight, tick } from './a-reception.ts'

const flight: Flight = { latDegrees: 60, lonDegrees: 25, velocity: [100, 0] }
const aircraft: TargetType = 'aa:target:aircraft'
const drone: TargetType = 'aa:target:drone'

/** What the track is after each second, as two sensors classify it. */
function typesOf(claims: Record<string, { type: TargetType; confidencePercent?: number }>) {
  const tracker = createCorrelator()
  const types: (TargetType | undefined)[] = []
  for (let seconds = 0; seconds < 10; seconds++) {
    for (const [sensor, claim] of Object.entries(claims)) {
      const reception = aReception({ sensor, icao: '460001', ...at(flight, seconds) })
      Object.assign(reception.position.target, claim)
      tracker.observe(reception)
    }
    tick(tracker, seconds)
    types.push([...tracker.tracks()][0]?.type)
  }
  return [...new Set(types)]
}

test('a target has the type of which its sensors are most sure', () => {
  const sure = { type: aircraft, confidencePercent: 95 }
  expect(typesOf({ adsb: sure, detector: { type: drone, confidencePercent: 5 } })).toEqual([aircraft])
  expect(typesOf({ adsb: { type: aircraft }, detector: { type: drone, confidencePercent: 60 } })).toEqual([aircraft])
})

test('a type that its sensor doubts itself is no type', () => {
  expect(typesOf({ detector: { type: drone, confidencePercent: 5 } })).toEqual([undefined])
})

test('a type without a confidence counts', () => {
  expect(typesOf({ detector: { type: drone } })).toEqual([drone])
})
