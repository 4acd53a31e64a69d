import type { AirArea, AirAreaList, AirAreaProperties } from '@posrep/spec'
import { describe, expect, test } from 'vitest'
import { displace } from '../../../src/alerts/local-plane.ts'
import { aTrack, type Flight, flying, origin, run, startMs } from '../a-track.ts'

type Ring = [east: number, north: number][]

/** Rings in metres around the origin. Default: a square of 2 km around it. */
function anArea(properties: Partial<AirAreaProperties> = {}, rings: Ring[] = [square(1_000)], id = 'stadium'): AirArea {
  const coordinates = rings.map((ring) =>
    [...ring, ...ring.slice(0, 1)].map(([eastMetres, northMetres]) => {
      const { lonDegrees, latDegrees } = displace(origin, { eastMetres, northMetres })
      return [lonDegrees, latDegrees]
    }),
  )
  return {
    type: 'Feature',
    id,
    properties: { name: 'Stadium', ...properties },
    geometry: { type: 'Polygon', coordinates },
  }
}

function square(half: number): Ring {
  return [
    [-half, -half],
    [half, -half],
    [half, half],
    [-half, half],
  ]
}

const listOf = (...features: AirArea[]): AirAreaList => ({ type: 'FeatureCollection', features })

function watch(areas: AirArea[], seconds: number, ...flights: Flight[]) {
  const result = run({ seconds, tracksAt: flying(...flights), prepare: (alerts) => alerts.setAreas(listOf(...areas)) })
  return { ...result, first: result.raised[0], entry: result.raised[0]?.alert.area }
}

const drone: Flight = { name: '1581F45', drone: true, up: 100 }

describe('an entry', () => {
  test('is predicted a minute ahead, with time and place', () => {
    const { first, entry } = watch([anArea()], 70, { ...drone, east: -2_000, velocity: [10, 0] })
    // The edge is reached at second 100.
    expect(first?.second).toBeGreaterThanOrEqual(40)
    expect(first?.second).toBeLessThanOrEqual(42)
    expect(entry).toMatchObject({ areaId: 'stadium', areaName: 'Stadium', trackId: 't1', predicted: true })
    expect(Math.abs((entry?.secondsToEntry ?? 0) + (first?.second ?? 0) - 100)).toBeLessThan(0.5)
    const edge = displace(origin, { eastMetres: -1_000, northMetres: 0 })
    expect(entry?.position?.lon).toBeCloseTo(edge.lonDegrees, 4)
    expect(first?.alert.text).toBe(`drone 1581F45 enters the area Stadium in ${100 - (first?.second ?? 0)} s`)
  })

  test('is not written again while the prediction stays the same, and becomes presence at the edge', () => {
    const { changes } = watch([anArea()], 110, { ...drone, east: -2_000, velocity: [10, 0] })
    expect(changes.map(({ alert }) => alert.area?.predicted)).toEqual([true, false])
    expect(changes[1]?.second).toBeGreaterThanOrEqual(100)
    expect(changes[1]?.second).toBeLessThanOrEqual(101)
    expect(changes[1]?.alert).toMatchObject({
      text: 'drone 1581F45 is in the area Stadium',
      area: { secondsToEntry: 0 },
    })
  })

  test('that already happened is raised at the second update', () => {
    expect(watch([anArea()], 5, { ...drone, velocity: [0, 0] }).first).toMatchObject({
      second: 1,
      alert: { area: { predicted: false } },
    })
  })

  test('ends 5 s after the track is 50 m outside', () => {
    const { changes } = watch([anArea()], 40, { ...drone, east: 800, velocity: [20, 0] })
    expect(changes.at(-1)).toMatchObject({
      second: expect.toSatisfy((second: number) => second >= 17 && second <= 19),
      alert: {
        state: 'ended',
        text: 'drone 1581F45 is not in the area Stadium, and is not predicted to enter it',
      },
    })
  })

  test('along the edge, in and out by 20 m, is one alert', () => {
    const result = run({
      seconds: 100,
      prepare: (alerts) => alerts.setAreas(listOf(anArea())),
      tracksAt: (timeMs) => [
        aTrack({ ...drone, east: (timeMs - startMs) % 20_000 < 10_000 ? 980 : 1_020, velocity: [0, 0] }, timeMs),
      ],
    })
    expect(result.raised).toHaveLength(1)
  })

  test('is not predicted for a path that passes by, for a target on the ground, nor without velocity', () => {
    expect(watch([anArea()], 100, { ...drone, north: 1_200, east: -2_000, velocity: [30, 0] }).raised).toEqual([])
    expect(watch([anArea()], 10, { velocity: [5, 0], track: { onGround: true } }).raised).toEqual([])
    expect(watch([anArea()], 10, { ...drone, east: -1_100, velocity: null }).raised).toEqual([])
  })
})

describe('a hole', () => {
  const ringed = anArea({}, [square(3_000), square(1_000)])

  test('does not belong to the area', () => {
    expect(watch([ringed], 10, { ...drone, velocity: [0, 0] }).raised).toEqual([])
  })

  test('is left into the area', () => {
    const { entry, first } = watch([ringed], 30, { ...drone, velocity: [20, 0] })
    expect(Math.abs((entry?.secondsToEntry ?? 0) + (first?.second ?? 0) - 50)).toBeLessThan(0.5)
  })

  test('below the path does not hide the area behind it', () => {
    const { raised } = watch([ringed], 10, { ...drone, east: -900, velocity: [100, 0] })
    expect(raised[0]?.alert.area).toMatchObject({ predicted: true })
  })
})

describe('floor and ceiling', () => {
  const between = anArea({ floor: { height: 200, datum: 'msl' }, ceiling: { height: 500, datum: 'msl' } })
  const inside = { ...drone, velocity: [0, 0] as [number, number] }

  test.each([
    [199, 0],
    [200, 1],
    [500, 1],
    [501, 0],
  ])('at %d m above mean sea level there are %d alerts', (up, count) => {
    expect(watch([between], 5, { ...inside, up }).raised).toHaveLength(count)
  })

  test('are entered from below by a climb', () => {
    const { entry, first } = watch([between], 40, { ...drone, up: 100, velocity: [0, 0, 2] })
    expect(entry).toMatchObject({ predicted: true })
    expect(Math.abs((entry?.secondsToEntry ?? 0) + (first?.second ?? 0) - 50)).toBeLessThan(0.5)
  })

  test('are entered from above by a descent', () => {
    const { entry, first } = watch([between], 40, { ...drone, up: 600, velocity: [0, 0, -2.5] })
    expect(Math.abs((entry?.secondsToEntry ?? 0) + (first?.second ?? 0) - 40)).toBeLessThan(0.5)
  })

  test('are not entered by a path that is above while it crosses', () => {
    expect(watch([between], 60, { ...drone, east: -3_000, up: 800, velocity: [60, 0, -2] }).raised).toEqual([])
  })

  test('may be met by a track without any altitude, and the text says so', () => {
    const { first } = watch([anArea({ floor: { height: 9_000, datum: 'agl' } })], 5, { ...inside, up: null })
    expect(first?.alert.text).toBe(
      'drone 1581F45 is in the area Stadium; its altitude above the datum agl is not known, so it may be above or below',
    )
  })

  test('above a datum that the track does not have exclude it where no ground is so high or so low', () => {
    const upTo120 = anArea({ ceiling: { height: 120, datum: 'agl' } })
    expect(watch([upTo120], 5, { ...inside, up: 10_000 }).raised).toEqual([])
    expect(watch([upTo120], 5, { ...inside, up: 1_000 }).first?.alert.text).toContain('its altitude is converted')
  })

  test('at the ground are no limit: nothing has to be known of the height above it', () => {
    const { first } = watch([anArea({ floor: { height: 0, datum: 'agl' } })], 5, inside)
    expect(first?.alert.text).toBe('drone 1581F45 is in the area Stadium')
  })

  test('use a derived altitude of their datum', () => {
    const altitudes = [
      { datum: 'wgs84' as const, heightMetres: 300, provenance: 'given' as const },
      { datum: 'msl' as const, heightMetres: 282, provenance: 'derived' as const, from: 'wgs84, EGM96' },
    ]
    const { first } = watch([between], 5, { ...inside, track: { altitudes } })
    expect(first?.alert.text).toBe('drone 1581F45 is in the area Stadium; its altitude is converted, to about 11 m')
  })

  test('may be met by a converted altitude that is outside by less than its error, and the text says so', () => {
    const areas = [anArea({ floor: { height: 1_000, datum: 'msl' } })]
    const converted = { datum: 'msl' as const, accuracyMetres: 424, provenance: 'derived' as const, from: 'bar' }
    const at = (heightMetres: number) => ({ ...inside, track: { altitudes: [{ ...converted, heightMetres }] } })
    expect(watch(areas, 5, at(990)).first?.alert.text).toBe(
      'drone 1581F45 is in the area Stadium; its altitude is converted, to about 217 m',
    )
    expect(watch(areas, 5, at(700)).first).toBeUndefined()
  })
})

describe('active times', () => {
  const time = (fromSecond: number, toSecond: number) => ({
    from: new Date(startMs + fromSecond * 1_000).toISOString(),
    to: new Date(startMs + toSecond * 1_000).toISOString(),
  })
  const hovering = { ...drone, velocity: [0, 0] as [number, number] }

  test('an area that becomes active around a target is predicted', () => {
    const { entry, first } = watch([anArea({ active: [time(100, 200)] })], 60, hovering)
    expect(entry).toMatchObject({ predicted: true })
    expect(Math.abs((entry?.secondsToEntry ?? 0) + (first?.second ?? 0) - 100)).toBeLessThan(0.2)
  })

  test('an area that is over, or not yet soon, has no alerts', () => {
    expect(watch([anArea({ active: [time(-100, -1), time(100, 200)] })], 30, hovering).raised).toEqual([])
  })

  test('a path that crosses between two active times has no alert', () => {
    const area = anArea({ active: [time(0, 10), time(55, 100)] })
    expect(watch([area], 3, { ...drone, east: -1_600, velocity: [50, 0] }).raised).toEqual([])
  })

  test('an alert ends with the active time', () => {
    const { alerts } = watch([anArea({ active: [time(0, 20)] })], 30, hovering)
    expect(alerts.list()).toMatchObject([{ state: 'ended' }])
  })
})

describe('longitude 180', () => {
  const strip = (west: number, east: number, id: string): AirArea => ({
    ...anArea({}, undefined, id),
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [west, 10],
          [east, 10],
          [east, 11],
          [west, 11],
          [west, 10],
        ],
      ],
    },
  })

  test('is crossed by a path into an area on the other side', () => {
    const track = { latDegrees: 10.5, lonDegrees: 179.99 }
    const { entry } = watch([strip(-180, -179, 'east')], 5, { ...drone, velocity: [100, 0], track })
    expect(entry).toMatchObject({ areaId: 'east', predicted: true, position: { lon: -180 } })
  })

  test('is crossed westwards, too', () => {
    const track = { latDegrees: 10.5, lonDegrees: -179.99 }
    const { entry } = watch([strip(179, 180, 'west')], 5, { ...drone, velocity: [-100, 0], track })
    expect(entry).toMatchObject({ areaId: 'west', predicted: true })
  })

  test('is crossed within an area over all longitudes: the track stays in it, in one alert', () => {
    const track = { latDegrees: 10.5, lonDegrees: 179.99 }
    const { changes } = watch([strip(-180, 180, 'cap')], 10, { ...drone, velocity: [100, 0], track })
    expect(changes.map(({ alert }) => alert)).toMatchObject([{ id: 'a1', area: { areaId: 'cap', predicted: false } }])
  })
})

test('new areas replace the old ones: alerts of old ones end', () => {
  const { alerts } = run({
    seconds: 20,
    tracksAt: flying({ ...drone, velocity: [0, 0] }),
    prepare: (one) => one.setAreas(listOf(anArea())),
    everySecond: (one, second) => {
      if (second === 5) one.setAreas(listOf(anArea({ name: 'Harbour' }, undefined, 'harbour')))
    },
  })
  expect(alerts.list().map(({ area, state }) => [area?.areaId, state])).toEqual([
    ['harbour', 'active'],
    ['stadium', 'ended'],
  ])
})
