/** Plots of a radar: positions without ids, velocities or identifiers. */
import { describe, expect, test } from 'vitest'
import { type Correlator, createCorrelator } from '../../src/correlation/correlator.ts'
import { aReception, at, type Flight, type GivenReception, tick } from './a-reception.ts'

const flights = [0, 1, 2].map(
  (number): Flight => ({ latDegrees: 60 + 0.2 * number, lonDegrees: 25, velocity: [220, 0] }),
)

/** Scans in which the radar sees each flight; `plotsOf` gives further positions of a scan. */
function scan(
  tracker: Correlator,
  scanSeconds: number,
  scans: number,
  plotsOf: (scan: number) => { latDegrees: number; lonDegrees: number }[] = () => [],
): void {
  const plot = (place: Omit<GivenReception, 'sensor'>) =>
    tracker.observe(aReception({ sensor: 'radar', accuracyMetres: 250, ...place }))
  for (let seconds = 0; seconds < scans * scanSeconds; seconds++) {
    const inScan = seconds % scanSeconds
    const flight = flights[inScan]
    if (flight) plot({ ...at(flight, seconds), velocity: undefined })
    if (inScan === 3) for (const place of plotsOf(Math.floor(seconds / scanSeconds))) plot({ seconds, ...place })
    tick(tracker, seconds)
  }
}

function countOf(tracker: Correlator, state: string): number {
  return [...tracker.tracks()].filter((track) => track.state === state).length
}

describe.each([5, 8, 12])('a radar of %i s', (scanSeconds) => {
  test('has a live track of each target from the third scan', () => {
    const tracker = createCorrelator()

    scan(tracker, scanSeconds, 3)

    expect(countOf(tracker, 'live')).toBe(3)
    expect(countOf(tracker, 'tentative')).toBe(0)
  })

  test('keeps one track of each target while some of its plots are missing', () => {
    const tracker = createCorrelator()
    scan(tracker, scanSeconds, 5)

    tick(tracker, 6.5 * scanSeconds)

    expect(countOf(tracker, 'live')).toBe(3)
  })
})

test('plots that no target can have flown between become no track', () => {
  const tracker = createCorrelator()
  const tooFar = (number: number) => [{ latDegrees: 61.5, lonDegrees: 25 + number * 0.1 }]

  scan(tracker, 8, 12, tooFar)

  expect([...tracker.tracks()].filter(({ state, positions }) => state === 'live' || positions > 1)).toHaveLength(3)
})

test('a single plot ends after three and a half scans', () => {
  const afterScans = (scans: number) => {
    const tracker = createCorrelator()
    scan(tracker, 4, scans, (number) => (number === 5 ? [{ latDegrees: 61.5, lonDegrees: 25 }] : []))
    return countOf(tracker, 'tentative')
  }

  expect([afterScans(9), afterScans(11)]).toEqual([1, 0])
})

test('two aircraft side by side, seen half a second apart, do not keep the tracks of others from beginning', () => {
  const tracker = createCorrelator()
  const plot = (place: GivenReception) =>
    tracker.observe(aReception({ sensor: 'radar', accuracyMetres: 250, ...place, velocity: undefined }))
  const beside: Flight = { latDegrees: 60.006, lonDegrees: 25, velocity: [220, 0] }
  const other: Flight = { latDegrees: 61, lonDegrees: 25, velocity: [220, 0] }

  for (let seconds = 0; seconds < 40; seconds += 4) {
    plot(at(flights[0] as Flight, seconds))
    plot(at(beside, seconds + 0.5))
    plot(at(other, seconds + 1))
    for (let tickAt = seconds; tickAt < seconds + 4; tickAt++) tick(tracker, tickAt)
  }

  expect([...tracker.tracks()].filter(({ latDegrees, state }) => latDegrees > 60.5 && state === 'live')).toHaveLength(1)
})
