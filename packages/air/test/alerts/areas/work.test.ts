/** Areas with many edges along a path bound the work of an update. It is counted, not timed. */
import type { AirArea } from '@posrep/spec'
import { expect, test } from 'vitest'
import { findEntry } from '../../../src/alerts/areas/entry.ts'
import { createAreaWatch } from '../../../src/alerts/areas/find-entries.ts'
import { watchArea } from '../../../src/alerts/areas/watched-area.ts'
import { createHeights } from '../../../src/alerts/heights.ts'
import { displace } from '../../../src/alerts/local-plane.ts'
import { toMover } from '../../../src/alerts/mover.ts'
import { aTrack, origin, startMs } from '../a-track.ts'

type Ring = [east: number, north: number][]

/** Metres around the origin. */
function anArea(rings: Ring[]): AirArea {
  const coordinates = rings.map((ring) =>
    [...ring, ...ring.slice(0, 1)].map(([eastMetres, northMetres]) => {
      const { lonDegrees, latDegrees } = displace(origin, { eastMetres, northMetres })
      return [lonDegrees, latDegrees]
    }),
  )
  return {
    type: 'Feature',
    id: 'comb',
    properties: { name: 'Comb' },
    geometry: { type: 'Polygon', coordinates },
  }
}

function rectangle(west: number, east: number, half: number): Ring {
  return [
    [west, -half],
    [east, -half],
    [east, half],
    [west, half],
  ]
}

/** Teeth across the way to the east, 4 m apart: the way crosses nearly 1,000 edges. */
function comb(west: number): Ring {
  const teeth = Array.from({ length: 247 }, (_, tooth): Ring => {
    const at = west + 4 * tooth
    return [
      [at, -100],
      [at, 100],
      [at + 2, 100],
      [at + 2, -100],
    ]
  })
  return [...teeth.flat(), [west + 1_000, -100], [west + 1_000, -200], [west, -200]]
}

const mover = (id = 't1') => {
  const found = toMover(aTrack({ id, velocity: [100, 0], up: 300 }), startMs)
  if (!found) throw new Error('The track has no prediction')
  return found
}

test('a path along a comb is looked at up to its first part inside', () => {
  const watched = watchArea(anArea([comb(100)]), () => {})
  let asked = 0
  const contains: typeof watched.contains = (place) => {
    asked++
    return watched.contains(place)
  }

  const entry = findEntry(
    mover(),
    { ...watched, contains },
    startMs,
    () => undefined,
    false,
    () => true,
  )

  expect(entry?.seconds).toBeCloseTo(1, 1)
  expect(asked).toBe(2)
})

test('a path whose parts are all outside is looked at until the work of the update is used up, and the rest is counted', () => {
  // In a hole, two equal holes have nothing inside.
  const combs = Array.from({ length: 18 }, (_, at) => comb(100 + Math.floor(at / 2) * 0.1))
  const areas = createAreaWatch({
    type: 'FeatureCollection',
    features: [anArea([rectangle(-50_000, 50_000, 50_000), rectangle(-20_000, 20_000, 1_000), ...combs])],
  })

  const movers = [mover('t1'), mover('t2'), mover('t3')]
  const found = [...areas.find(startMs, movers, createHeights(movers), () => false)]

  expect(found).toEqual([])
  expect(areas.leftOut()).toBe(3)
})
