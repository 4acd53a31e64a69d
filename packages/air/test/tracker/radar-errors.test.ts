/** A radar whose azimuth or range is off, beside an ADS-B receiver. */
import type { AirSensor, PositionData, PositionReport } from '@posrep/spec'
import { describe, expect, test } from 'vitest'
import { createTracker } from '../../src/tracker/create-tracker.ts'
import type { Tracker } from '../../src/tracker/tracker.ts'
import { createNoise } from '../noise.ts'

const startMs = Date.UTC(2026, 0, 7, 12)
const metresPerDegree = 111_195
const radians = Math.PI / 180
const scanSeconds = 4
const radarSigmaMetres = 50

interface Radar {
  azimuthDegrees?: number
  rangeMetres?: number
  eastMetres?: number
  names: 'addresses' | 'numbers' | 'nothing'
  /** How fast the radar moves to the east; undefined if it does not say where it is. Default: it stands. */
  metresPerSecond?: number | undefined
  /** Where it says that it stands. */
  standsEastMetres?: number
}

interface Place {
  east: number
  north: number
}

/** Around the radar, 5 to 19 km away, in all directions. */
const flights = Array.from({ length: 8 }, (_, number) => {
  const [bearing, course] = [45 * number * radians, (130 * number + 40) * radians]
  const [range, speed] = [5_000 + 2_000 * number, 90 + 10 * number]
  return {
    icao: `46000${number}`,
    heightMetres: 1_500 + 600 * number,
    velocity: [speed * Math.sin(course), speed * Math.cos(course)] as const,
    at: (seconds: number): Place => ({
      east: range * Math.sin(bearing) + speed * seconds * Math.sin(course),
      north: range * Math.cos(bearing) + speed * seconds * Math.cos(course),
    }),
  }
})
type Flight = (typeof flights)[number]

function toPosition({ east, north }: Place): { lat: number; lon: number } {
  const lat = 60 + north / metresPerDegree
  return { lat, lon: 25 + east / (metresPerDegree * Math.cos(((60 + lat) / 2) * radians)) }
}

function byReceiver({ icao, heightMetres, velocity: [x, y], at }: Flight, seconds: number): PositionData {
  return {
    id: `adsb ${icao} ${seconds}`,
    sourceTimeStamp: new Date(startMs + seconds * 1_000).toISOString(),
    position: { ...toPosition(at(seconds)), accuracy: 20 },
    target: { ids: [{ id: icao, type: 'ICAO' }] },
    altitudes: [{ height: heightMetres, datum: 'bar' }],
    groundVelocity: { x, y, z: 0 },
  }
}

function byRadar({ icao, at }: Flight, radar: Radar, seconds: number, noise: () => number): PositionData {
  const { azimuthDegrees = 0, rangeMetres = 0, eastMetres = 0, names } = radar
  const { east, north } = at(seconds)
  const [sin, cos] = [Math.sin(azimuthDegrees * radians), Math.cos(azimuthDegrees * radians)]
  const longer = 1 + rangeMetres / Math.hypot(east, north)
  const measured = {
    east: longer * (east * cos + north * sin) + eastMetres + radarSigmaMetres * noise(),
    north: longer * (north * cos - east * sin) + radarSigmaMetres * noise(),
  }
  return {
    id: `radar ${icao} ${seconds}`,
    sourceTimeStamp: new Date(startMs + seconds * 1_000).toISOString(),
    position: { ...toPosition(measured), accuracy: 2.448 * radarSigmaMetres },
    target: {
      ...(names !== 'nothing' && { sourceId: icao.slice(-1) }),
      ...(names === 'addresses' && { ids: [{ id: icao, type: 'ICAO' }] }),
    },
  }
}

interface Received {
  deviceId: string
  receivedAtMs: number
  report: PositionReport
}

function* receive(seconds: number, radar: Radar): Generator<Received> {
  const noise = createNoise(11)
  const { metresPerSecond, standsEastMetres } = { metresPerSecond: 0, standsEastMetres: 0, ...radar }
  for (let second = 0; second < seconds; second++) {
    const receivedAtMs = startMs + second * 1_000 + 400
    yield { deviceId: 'adsb', receivedAtMs, report: { positions: flights.map((one) => byReceiver(one, second)) } }
    const seen = flights.filter((_, number) => (second + number) % scanSeconds === 0)
    const stands = metresPerSecond !== undefined && {
      sensorPosition: {
        geographicPosition: toPosition({ east: standsEastMetres + metresPerSecond * second, north: 0 }),
      },
    }
    yield {
      deviceId: 'radar',
      receivedAtMs: receivedAtMs + 100,
      report: { sensor: { id: 'radar', ...stands }, positions: seen.map((one) => byRadar(one, radar, second, noise)) },
    }
  }
}

function take(tracker: Tracker, { deviceId, receivedAtMs, report }: Received): void {
  tracker.add(report, receivedAtMs, { deviceId })
}

function watch(seconds: number, radar: Radar) {
  const tracker = createTracker()
  const alerts = new Set<string>()
  for (const received of receive(seconds, radar)) {
    take(tracker, received)
    tracker.advance(received.receivedAtMs)
    for (const { text } of tracker.alerts()) alerts.add(text)
  }
  const sensor = tracker.sensors().find(({ deviceId }) => deviceId === 'radar')
  return { tracks: tracker.tracks(), alerts: [...alerts], errors: errorsOf(sensor) }
}

function errorsOf(sensor: AirSensor | undefined) {
  const { clockOffsetSeconds, placeOffset, azimuthOffsetDegrees, rangeOffsetMetres } = sensor ?? {}
  return { clockOffsetSeconds, placeOffset, azimuthOffsetDegrees, rangeOffsetMetres }
}

const none = errorsOf(undefined)

describe.each(['addresses', 'numbers', 'nothing'] as const)('a radar that gives its targets %s', (names) => {
  test.each([1, -1])('whose azimuth is %i degree off is corrected: one track per aircraft, no alert', (degrees) => {
    const { tracks, alerts, errors } = watch(120, { names, azimuthDegrees: degrees })

    expect(tracks).toHaveLength(flights.length)
    expect(alerts).toEqual([])
    expect(errors).toEqual({ ...none, azimuthOffsetDegrees: expect.any(Number) })
    expect(Math.abs((errors.azimuthOffsetDegrees ?? 0) - degrees)).toBeLessThan(0.15)
  })

  test.each([150, -150])('whose ranges are %i m off is corrected: one track per aircraft, no alert', (metres) => {
    const { tracks, alerts, errors } = watch(120, { names, rangeMetres: metres })

    expect(tracks).toHaveLength(flights.length)
    expect(alerts).toEqual([])
    expect(errors).toEqual({ ...none, rangeOffsetMetres: expect.any(Number) })
    expect(Math.abs((errors.rangeOffsetMetres ?? 0) - metres)).toBeLessThan(40)
  })

  test('whose places are all 200 m off is corrected in place', () => {
    const { tracks, alerts, errors } = watch(120, { names, eastMetres: 200 })

    expect(tracks).toHaveLength(flights.length)
    expect(alerts).toEqual([])
    expect(errors).toEqual({ ...none, placeOffset: expect.anything() })
    expect(Math.abs((errors.placeOffset?.eastMetres ?? 0) - 200)).toBeLessThan(60)
  })

  test('that is right is not said to be off', () => {
    const { tracks, alerts, errors } = watch(120, { names })

    expect(tracks).toHaveLength(flights.length)
    expect(alerts).toEqual([])
    expect(errors).toEqual(none)
  })

  test('that moves has no azimuth of its own, though it says where it is', () => {
    const { errors } = watch(120, { names, azimuthDegrees: 0.5, metresPerSecond: 30 })

    expect(errors.azimuthOffsetDegrees).toBeUndefined()
    expect(errors.rangeOffsetMetres).toBeUndefined()
  })
})

test.each([
  ['does not say where it stands', { metresPerSecond: undefined }],
  ['says that it stands 1,000 km from its targets', { standsEastMetres: 1_000_000 }],
])('of a radar that %s, only the place is corrected', (_, stands) => {
  const { tracks, errors } = watch(120, { names: 'numbers', eastMetres: 200, ...stands })

  expect(tracks).toHaveLength(flights.length)
  expect(errors).toEqual({ ...none, placeOffset: expect.anything() })
  expect(Math.abs((errors.placeOffset?.eastMetres ?? 0) - 200)).toBeLessThan(60)
})

test('of two radars that differ by a degree, none is said to be the one that is off', () => {
  const tracker = createTracker()
  const noise = createNoise(11)
  for (let second = 0; second < 120; second++) {
    for (const [deviceId, azimuthDegrees] of [
      ['one', 0],
      ['two', 1],
    ] as const) {
      const seen = flights.filter((_, number) => (second + number) % scanSeconds === 0)
      const positions = seen.map((one) => byRadar(one, { names: 'numbers', azimuthDegrees }, second, noise))
      const sensor = { id: deviceId, sensorPosition: { geographicPosition: toPosition({ east: 0, north: 0 }) } }
      take(tracker, { deviceId, receivedAtMs: startMs + second * 1_000 + 400, report: { sensor, positions } })
    }
  }

  expect(tracker.tracks()).toHaveLength(flights.length)
  expect(tracker.sensors().map(({ azimuthOffsetDegrees }) => azimuthOffsetDegrees)).toEqual([undefined, undefined])
})

test('a tracker that continues from a snapshot corrects the radar in the same way', () => {
  const without = createTracker()
  let within = createTracker()

  for (const [number, received] of [...receive(60, { names: 'numbers', azimuthDegrees: 1 })].entries()) {
    take(without, received)
    take(within, received)
    if (number % 20 === 0) within = createTracker({ snapshot: JSON.parse(JSON.stringify(within.snapshot())) })
  }

  expect(JSON.stringify(within.whole())).toBe(JSON.stringify(without.whole()))
  expect(within.sensors()).toEqual(without.sensors())
})
