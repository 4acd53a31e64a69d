import { describe, expect, test } from 'vitest'
import { createCorrelator } from '../../../src/correlation/correlator.ts'
import { flights, runBesideAdsb } from '../sensors/beside-adsb.ts'

describe.each([-5, -10, -15])('the clock of an anonymous sensor that is off by %i s', (aheadSeconds) => {
  test('is learnt from targets that others identify, and its ghosts become one track with them', () => {
    const tracker = createCorrelator()

    const sensor = runBesideAdsb(tracker, 60, { aheadSeconds })

    expect(sensor?.offsetSeconds).toBeCloseTo(aheadSeconds, 0)
    expect([...tracker.tracks()]).toHaveLength(flights.length)
  })
})
