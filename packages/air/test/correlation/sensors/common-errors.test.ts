import { expect, test } from 'vitest'
import { createCorrelator } from '../../../src/correlation/correlator.ts'
import { aReception, tick } from '../a-reception.ts'
import { metresPerDegree } from './beside-adsb.ts'

test('receivers that agree do not wander off together, though all their targets slow down to the west', () => {
  const tracker = createCorrelator()
  const lengthSeconds = 60
  let off = 0
  for (let second = 0; second < 1_200; second++) {
    const flight = Math.floor(second / lengthSeconds)
    const since = second % lengthSeconds
    const west = 120 * since - since ** 2 / 2
    const lonDegrees = 25 - west / metresPerDegree / Math.cos((60 * Math.PI) / 180)
    for (const sensor of ['a', 'b'])
      tracker.observe(aReception({ sensor, icao: `4${10_000 + flight}`, seconds: second, lonDegrees }))
    tick(tracker, second)
    off = Math.max(off, ...tracker.snapshot().sensors.map(({ eastMetres }) => Math.abs(eastMetres)))
  }

  expect(off).toBeLessThan(8)
})
