import { describe, expect, test } from 'vitest'
import { createCorrelator } from '../../src/correlation/correlator.ts'
import { createPicture } from '../../src/correlation/snapshot.ts'
import { aReception, at, type Flight, fly, tick } from './a-reception.ts'

const flight: Flight = { latDegrees: 60, lonDegrees: 25, velocity: [150, 100] }
const toAddress = (number: number) => number.toString(16).toUpperCase().padStart(6, '0')

test('a flood of new targets keeps the live ones and the bound', () => {
  const tracker = createCorrelator({ maxTracks: 100 })
  const live = fly(tracker, { icao: 'ABCDEF' }, flight, 0, 5)

  for (let number = 0; number < 5_000; number++) {
    const place = { latDegrees: (number % 120) - 60, lonDegrees: (number % 300) - 150 }
    tracker.observe(aReception({ icao: toAddress(number), seconds: 5, ...place }))
  }

  expect([...tracker.tracks()]).toHaveLength(100)
  expect(tracker.find(live)?.state).toBe('live')
  expect(tracker.counts().evicted).toBe(5_000 - 99)
})

test('when all tracks are live, a new target is refused', () => {
  const tracker = createCorrelator({ maxTracks: 2 })
  fly(tracker, { icao: '000001' }, flight, 0, 5)
  fly(tracker, { icao: '000002' }, { ...flight, latDegrees: 50 }, 0, 5)

  expect(tracker.observe(aReception({ icao: '000003', latDegrees: 40, seconds: 5 }))).toBeUndefined()
  expect(tracker.counts().refused).toBe(1)
})

test('a coasting track leaves before a live one', () => {
  const tracker = createCorrelator({ maxTracks: 2 })
  const coasting = fly(tracker, { icao: '000001' }, flight, 0, 5)
  const live = fly(tracker, { icao: '000002' }, { ...flight, latDegrees: 50 }, 0, 20)

  tracker.observe(aReception({ icao: '000003', latDegrees: 40, seconds: 21 }))

  expect(tracker.find(coasting)).toBeUndefined()
  expect(tracker.find(live)).toBeDefined()
})

test('the history of a long flight has at most 300 points, the newest densest', () => {
  const tracker = createCorrelator()

  const id = fly(tracker, { icao: '461F67' }, flight, 0, 2_000)

  const times = tracker.history(id).map(({ timeMs }) => timeMs)
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  expect(times.length).toBeLessThanOrEqual(300)
  expect(steps.at(-1)).toBe(1_000)
  expect(steps[0]).toBeGreaterThan(2_000)
})

test('a track has at most 16 contributions, 16 identifiers and 50 associations', () => {
  const tracker = createCorrelator()

  let id = ''
  for (let number = 0; number < 100; number++) {
    const identifiers = [{ kind: 'CallSign' as const, id: `FIN${number}` }]
    const given = { sensor: `s${number}`, icao: '461F67', sourceId: '1', identifiers, ...at(flight, number) }
    id = tracker.observe(aReception(given)) ?? ''
  }

  const track = tracker.find(id)
  expect(track?.positions).toBe(100)
  expect(track?.contributions).toHaveLength(16)
  expect(track?.contributions[0]?.deviceUrn).toBe('urn:device:s99')
  expect(track?.identifiers).toHaveLength(16)
  expect(tracker.associations(id)).toHaveLength(50)
})

test('identifiers and source ids of a megabyte are not kept', () => {
  const tracker = createCorrelator()
  const long = 'x'.repeat(1_000_000)

  tracker.observe(aReception({ sourceId: long, identifiers: [{ kind: 'SerialNumber', id: long }] }))

  expect(JSON.stringify(tracker.snapshot()).length).toBeLessThan(5_000)
})

test('ten thousand targets at one place cost no more than a search of them', () => {
  const tracker = createCorrelator()
  for (let number = 0; number < 10_000; number++) {
    tracker.observe(aReception({ sourceId: `${number}`, seconds: number / 10_000, latDegrees: 60 + number / 1e7 }))
  }
  tick(tracker, 2)

  expect([...tracker.tracks()]).toHaveLength(10_000)
  expect(tracker.snapshot().evidence.length).toBeLessThanOrEqual(40_000)
})

describe('an identifier of many tracks', () => {
  const registration = { kind: 'Registration' as const, id: 'OH-ABC' }

  /** One degree apart, each with a source id of its own. */
  function withTracks(count: number) {
    const tracker = createCorrelator()
    for (let number = 0; number < count; number++) {
      const place = { latDegrees: Math.floor(number / 300) - 60, lonDegrees: (number % 300) - 150 }
      tracker.observe(aReception({ sourceId: `${number}`, identifiers: [registration], ...place }))
    }
    return { tracker, index: createPicture(10_000, tracker.snapshot()).index }
  }

  test('makes a position compare with 400 of them at most', () => {
    expect(withTracks(400).index.withIdentifier(registration).size).toBe(400)
    expect(withTracks(401).index.withIdentifier(registration).size).toBe(0)
  })

  test('leaves the tracks to the ids of their sensors', () => {
    const { tracker } = withTracks(500)

    const joined = tracker.observe(
      aReception({ sourceId: '7', identifiers: [registration], seconds: 1, latDegrees: -60, lonDegrees: -143 }),
    )

    expect(joined).toBe('t8')
    expect([...tracker.tracks()]).toHaveLength(500)
  })

  test('is that of one target when the others have ended', () => {
    const { index } = withTracks(3)
    expect(index.doubles.size).toBe(3)

    for (const target of [...index.targets.values()].slice(1)) index.remove(target)

    expect(index.doubles.size).toBe(0)
    expect([...index.withIdentifier(registration)]).toEqual([...index.targets.values()])
  })
})

test('numbers at the end of their range break nothing', () => {
  const tracker = createCorrelator()
  for (const value of [0, 1e308, 5e-324]) {
    const reception = aReception({
      icao: '461F67',
      accuracyMetres: value,
      heightMetres: value,
      velocity: [value, -value],
    })
    tracker.observe(reception)
    tracker.observe({ ...reception, position: { ...reception.position, timeMs: reception.position.timeMs + 1_000 } })
  }

  const numbers = JSON.stringify([...tracker.tracks()])
  expect(numbers).not.toContain('null')
  expect(tracker.find('t1')?.latDegrees).toBeCloseTo(60, 3)
})

test('a number of tracks that is not whole is refused', () => {
  expect(() => createCorrelator({ maxTracks: 0.5 })).toThrow('"maxTracks" must be a whole number from 1, got 0.5')
})

describe('a crowd', () => {
  /** In cells that are just not too full to be searched. */
  function aCrowd(targets: number) {
    const tracker = createCorrelator({ maxTracks: targets })
    const observe = (seconds: number) => {
      for (let number = 0; number < targets; number++) {
        const [row, column, within] = [number % 4, Math.floor(number / 4) % 4, Math.floor(number / 16)]
        const latDegrees = 60.001 + row * 0.05 + (within % 20) * 0.002
        const lonDegrees = 25.001 + column * 0.1 + Math.floor(within / 20) * 0.0005
        tracker.observe(aReception({ sourceId: String(number), seconds, latDegrees, lonDegrees, velocity: [0, 0] }))
      }
    }
    return { tracker, observe }
  }

  test('the looks for pairs of tracks per tick are bounded, and the next tick continues with the tracks that are left', () => {
    const { tracker, observe } = aCrowd(6_000)
    observe(0)
    expect([...tracker.tracks()].length).toBeGreaterThan(3_000)

    tick(tracker, 0)
    const { delayed } = tracker.counts()
    expect(delayed).toBeGreaterThan(0)
    const { compareFrom } = tracker.snapshot()
    expect(compareFrom).toBeGreaterThan(0)

    tick(tracker, 1)
    expect(tracker.snapshot().compareFrom).not.toBe(compareFrom)
  })

  test('a tracker that continues from a snapshot compares the same tracks', () => {
    const { tracker, observe } = aCrowd(6_000)
    observe(0)
    tick(tracker, 0)
    const restored = createCorrelator({ maxTracks: 6_000, snapshot: tracker.snapshot() })

    tick(tracker, 1)
    tick(restored, 1)

    expect(restored.snapshot()).toEqual(tracker.snapshot())
  })
})
