/** A flood of targets in one place bounds the work of an update. It is counted, not timed. */
import type { AirAlert } from '@posrep/spec'
import { expect, test } from 'vitest'
import { createAlerts } from '../../../src/alerts/alerts.ts'
import { maxCompared } from '../../../src/alerts/areas/find-entries.ts'
import { maxAdvised } from '../../../src/alerts/conflicts/advice.ts'
import { findCandidates, maxCandidates, maxTested } from '../../../src/alerts/conflicts/candidates.ts'
import { maxTraffic } from '../../../src/alerts/conflicts/traffic.ts'
import { toMover } from '../../../src/alerts/mover.ts'
import { aTrack, startMs } from '../a-track.ts'

const reach = { horizontalMetres: 1_341, lookAheadSeconds: 38.5 }
const crowd = Array.from({ length: 3_000 }, (_, number) =>
  aTrack({ id: `c${number}`, east: 500 + (number % 50), north: 500 + Math.floor(number / 50), velocity: [60, 0] }),
)
const pair = [
  aTrack({ id: 'd1', name: 'FIN5LA', east: 100_000, velocity: [120, 0] }),
  aTrack({ id: 'd2', name: 'SAS12', east: 103_000, velocity: [-120, 0] }),
]
const toMovers = (tracks: typeof crowd) => tracks.flatMap((track) => toMover(track, startMs) ?? [])

test('the pairs of a crowd are compared up to a bound, and the tracks that are left out are counted', () => {
  const search = findCandidates(toMovers(crowd.slice(0, 400)), reach)

  expect(search.pairs).toHaveLength(maxCandidates)
  expect(search.tested).toBeLessThanOrEqual(maxTested)
  expect(search.leftOut).toBeGreaterThan(300)
})

test('a crowd of thousands is left out and counted, and does not hide a conflict elsewhere', () => {
  const alerts = createAlerts()

  alerts.update(startMs, { tracks: [...crowd, ...pair], sensors: [] })

  expect(alerts.counts().crowded).toBe(3_000)
  expect(alerts.list().map(({ text }) => text)).toEqual([expect.stringContaining('FIN5LA and SAS12')])
})

test('tracks as dense as in recorded traffic are all compared', () => {
  const spread = Array.from({ length: 2_000 }, (_, number) =>
    aTrack({
      id: `c${number}`,
      east: (number % 50) * 8_000,
      north: Math.floor(number / 50) * 8_000,
      velocity: [120, 0],
    }),
  )

  expect(findCandidates(toMovers(spread), reach).leftOut).toBe(0)
})

test.each([
  ['west', 'east'],
  ['east', 'west'],
])('a pair across longitude 180 is found once, in the order %s, %s', (...order) => {
  const tracks = {
    west: aTrack({ id: 'w', velocity: [0, 0], track: { latDegrees: 10, lonDegrees: 179.99 } }),
    east: aTrack({ id: 'e', velocity: [-100, 0], track: { latDegrees: 10, lonDegrees: -179.99 } }),
  }

  const { pairs } = findCandidates(toMovers(order.map((side) => tracks[side as 'west' | 'east'])), reach)

  expect(pairs.map((found) => found.map(({ id }) => id).sort())).toEqual([['e', 'w']])
})

/** Pairs that are about to lose separation, 30 km apart, so that no other track is near. */
function pairsAt(count: number, timeMs: number) {
  return Array.from({ length: count }, (_, number) => {
    const [east, north] = [(number % 18) * 30_000, Math.floor(number / 18) * -30_000]
    return [
      aTrack({ id: `a${number}`, east, north, velocity: [120, 0] }, timeMs),
      aTrack({ id: `b${number}`, east: east + 4_000, north, velocity: [-120, 0] }, timeMs),
    ]
  }).flat()
}

test('an update writes 250 alerts and looks for advice in 100 of them at most, and each alert is written again in time', () => {
  const alerts = createAlerts()
  const writes = [0, 1, 2, 3].map((second) => {
    const nowMs = startMs + second * 1_000
    alerts.update(nowMs, { tracks: pairsAt(300, nowMs), sensors: [] })
    return alerts.takeChanges()
  })

  expect(writes.map(({ length }) => length)).toEqual([250, 250, 250, 250])
  const isLookedAt = ({ conflict }: AirAlert) => !conflict?.advice[0]?.text.includes('too many conflicts')
  for (const written of writes) expect(written.filter(isLookedAt)).toHaveLength(maxAdvised)
  const oldestMs = Math.min(...alerts.list().map(({ updatedAt }) => Date.parse(updatedAt)))
  expect(oldestMs).toBeGreaterThanOrEqual(startMs + 2_000)
})

test('a conflict in a crowd has no advice, and says why', () => {
  const around = Array.from({ length: maxTraffic }, (_, number) =>
    aTrack({
      id: `c${number}`,
      east: (number % 40) * 500,
      north: 5_000 + Math.floor(number / 40) * 500,
      up: 3_000 + number * 200,
    }),
  )
  const near = pairsAt(1, startMs)
  const alerts = createAlerts()

  alerts.update(startMs, { tracks: [...near, ...around], sensors: [] })

  const conflict = alerts.list().find(({ conflict: one }) => one?.tracks.some(({ trackId }) => trackId === 'a0'))
  expect(conflict?.conflict?.advice).toMatchObject([{ kind: 'none', text: expect.stringContaining('too many tracks') }])
})

test('tracks beyond the bound are not compared with areas, and counted', () => {
  const inside = crowd.slice(0, 2_500)
  const outline = [24, 61, 26, 59] as const
  const [west, north, east, south] = outline
  const ring: [number, number][] = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  const areas = Array.from({ length: 10 }, (_, number) => ({
    type: 'Feature' as const,
    id: `area${number}`,
    properties: { name: `Area ${number}` },
    geometry: { type: 'Polygon' as const, coordinates: [ring] },
  }))
  const alerts = createAlerts()
  alerts.setAreas({ type: 'FeatureCollection', features: areas })

  alerts.update(startMs, { tracks: inside, sensors: [] })

  expect(alerts.counts().crowded).toBe(inside.length + (inside.length - maxCompared / 10))
})
