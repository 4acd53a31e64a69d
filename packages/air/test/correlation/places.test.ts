import { expect, test } from 'vitest'
import { createCorrelator } from '../../src/correlation/correlator.ts'
import { aReception, at, type Flight, fly, tick } from './a-reception.ts'

test('a flight across the antimeridian is one track', () => {
  const tracker = createCorrelator()
  const flight: Flight = { latDegrees: -17, lonDegrees: 179.99, velocity: [200, 0] }

  const id = fly(tracker, { sensor: 'a', icao: '461F67' }, flight, 0, 20)

  expect(tracker.observe(aReception({ sensor: 'b', ...at(flight, 21) }))).toBe(id)
  expect(tracker.find(id)?.lonDegrees).toBeLessThan(-179.9)
  expect(tracker.find(id)?.velocity?.eastMetresPerSecond).toBeCloseTo(200, 0)
})

test('positions of two sensors on both sides of the antimeridian meet in the gate', () => {
  const tracker = createCorrelator()
  const id = fly(
    tracker,
    { sensor: 'a', sourceId: '1' },
    { latDegrees: 0, lonDegrees: 179.9999, velocity: [0, 0] },
    0,
    5,
  )

  expect(tracker.observe(aReception({ sensor: 'b', seconds: 6, latDegrees: 0, lonDegrees: -179.9999 }))).toBe(id)
})

test('a flight over the pole is one track with its speed', () => {
  const tracker = createCorrelator()
  const metresPerDegree = 111_694

  let id: string | undefined
  for (let seconds = -30; seconds <= 30; seconds++) {
    const latDegrees = 90 - (Math.abs(seconds) * 200) / metresPerDegree
    const northbound = seconds < 0
    id = tracker.observe(
      aReception({
        sensor: seconds % 2 === 0 ? 'a' : 'b',
        seconds: seconds + 30,
        latDegrees,
        lonDegrees: northbound ? 10 : -170,
        velocity: [0, northbound ? 200 : -200],
      }),
    )
    tick(tracker, seconds + 30)
  }

  expect([...tracker.tracks()]).toHaveLength(1)
  const { eastMetresPerSecond = 0, northMetresPerSecond = 0 } = tracker.find(id ?? '')?.velocity ?? {}
  expect(northMetresPerSecond).toBeCloseTo(-200, 0)
  expect(eastMetresPerSecond).toBeCloseTo(0, 0)
})

test('the velocity becomes known from positions alone', () => {
  const tracker = createCorrelator()
  const flight: Flight = { latDegrees: 60, lonDegrees: 25, velocity: [150, -80] }

  let id = ''
  for (let seconds = 0; seconds <= 30; seconds++) {
    const { velocity: _, ...place } = at(flight, seconds)
    id = tracker.observe(aReception({ icao: '461F67', ...place })) ?? ''
    if (seconds === 0) expect(tracker.find(id)?.velocity).toBeUndefined()
  }

  const { eastMetresPerSecond, northMetresPerSecond } = tracker.find(id)?.velocity ?? {}
  expect(Math.abs((eastMetresPerSecond ?? 0) - 150)).toBeLessThan(3)
  expect(Math.abs((northMetresPerSecond ?? 0) + 80)).toBeLessThan(3)
})

test('the vertical rate becomes known from altitudes alone', () => {
  const tracker = createCorrelator()
  const flight: Flight = { latDegrees: 60, lonDegrees: 25, velocity: [150, 0] }

  for (let seconds = 0; seconds <= 60; seconds++) {
    tracker.observe(aReception({ icao: '461F67', heightMetres: 1_000 + 8 * seconds, ...at(flight, seconds) }))
  }

  expect(tracker.find('t1')?.upMetresPerSecond).toBeCloseTo(8, 0)
})

test('a hovering drone stays where it is', () => {
  const tracker = createCorrelator()
  const noise = [3, -5, 8, -2, -7, 4, 1, -3]

  for (let seconds = 0; seconds <= 120; seconds++) {
    const metres = noise[seconds % noise.length] ?? 0
    const latDegrees = 47.2 + metres / 111_195
    tracker.observe(aReception({ identifiers: [{ kind: 'SerialNumber', id: '1588' }], seconds, latDegrees }))
    tick(tracker, seconds)
  }

  const track = tracker.find('t1')
  expect([...tracker.tracks()]).toHaveLength(1)
  expect(Math.abs((track?.latDegrees ?? 0) - 47.2) * 111_195).toBeLessThan(10)
  expect(Math.abs(track?.velocity?.northMetresPerSecond ?? 99)).toBeLessThan(4)
})

test('an aircraft that flies low over a parked one is another track', () => {
  const tracker = createCorrelator()
  const parked = fly(
    tracker,
    { sensor: 'a', sourceId: '1', onGround: true },
    { latDegrees: 60, lonDegrees: 25, velocity: [0, 0] },
    0,
    30,
  )

  const over = tracker.observe(aReception({ sensor: 'b', seconds: 31, onGround: false, velocity: [70, 0] }))

  expect(over).not.toBe(parked)
})

test('a track of a turning aircraft follows it', () => {
  const tracker = createCorrelator()
  const radiusMetres = 1_500
  const rate = 80 / radiusMetres
  const place = (seconds: number) => ({
    latDegrees: 60 + (radiusMetres * Math.sin(rate * seconds)) / 111_195,
    lonDegrees: 25 + (radiusMetres * Math.cos(rate * seconds)) / (111_195 / 2),
    seconds,
  })

  for (let seconds = 0; seconds <= 120; seconds += 2) tracker.observe(aReception({ icao: '461F67', ...place(seconds) }))

  const last = place(120)
  const track = tracker.find('t1')
  expect(Math.abs((track?.latDegrees ?? 0) - last.latDegrees) * 111_195).toBeLessThan(30)
  expect([...tracker.tracks()]).toHaveLength(1)
})
