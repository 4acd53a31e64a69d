/** Advice from second to second, while a conflict comes nearer. */
import type { AirAdvice } from '@posrep/spec'
import { expect, test } from 'vitest'
import { createAlerts } from '../../../src/alerts/alerts.ts'
import { aTrack, type Flight, startMs } from '../a-track.ts'

const crossing: Flight[] = [
  { id: 't1', name: 'FIN5LA', velocity: [60, 0], up: 4_000 },
  { id: 't2', name: 'SAS12', east: 50 * 60 + 300, north: -50 * 60, velocity: [0, 60], up: 4_000 },
]
const headOn: Flight[] = [
  { id: 't1', name: 'FIN5LA', velocity: [120, 0], up: 4_000 },
  { id: 't2', name: 'SAS12', east: 11_000, north: 100, velocity: [-120, 0], up: 4_000 },
]

/** The advice of each second; with a snapshot in between, if one is wanted. */
function follow(
  flights: readonly Flight[],
  seconds: number,
  tracksAt = (timeMs: number) => flights.map((flight) => aTrack(flight, timeMs)),
  restoresAt = -1,
): AirAdvice[][] {
  let alerts = createAlerts()
  const advised: AirAdvice[][] = []
  for (let second = 0; second < seconds; second++) {
    const timeMs = startMs + second * 1_000
    alerts.update(timeMs, { tracks: tracksAt(timeMs), sensors: [] })
    if (second === restoresAt) alerts = createAlerts({ snapshot: JSON.parse(JSON.stringify(alerts.snapshot())) })
    const [alert] = alerts.list()
    if (alert?.state === 'active') advised.push(alert.conflict?.advice ?? [])
  }
  return advised
}

/** Each velocity a little off, the other way each second. */
function wavering(timeMs: number) {
  const by = ((timeMs - startMs) / 1_000) % 2 === 0 ? 1.5 : -1.5
  return crossing.map((flight) => {
    const track = aTrack(flight, timeMs)
    const { velocity } = track
    if (velocity) velocity.northMetresPerSecond += by
    return track
  })
}

const toSides = (advised: readonly AirAdvice[][], { trackId, kind }: AirAdvice) =>
  advised.flatMap((advice) =>
    advice
      .filter((one) => one.trackId === trackId && one.kind === kind)
      .map(({ turnDegrees = 0, levelChangeMetres = 0 }) => Math.sign(turnDegrees + levelChangeMetres)),
  )

test('advice is held while it works, although the velocities waver', () => {
  const advised = follow(crossing, 16, wavering)

  expect(advised.length).toBeGreaterThan(5)
  expect(advised[0]?.[0]?.kind).not.toBe('none')
  for (const [first] of advised) expect(first).toEqual(advised[0]?.[0])
})

test('advice that nobody follows is not reversed', () => {
  const advised = follow(crossing, 50, wavering)

  for (const one of advised[0] ?? []) expect(new Set(toSides(advised, one)).size).toBe(1)
})

test('a track that turns as advised is told what is left of the turn', () => {
  const [first] = follow(headOn, 30)[0] ?? []
  const turnDegrees = first?.turnDegrees ?? Number.NaN
  const raisedSeconds = 30 - follow(headOn, 30).length
  const half = ((turnDegrees / 2) * Math.PI) / 180

  const tracksAt = (timeMs: number) =>
    headOn.map((flight) => {
      const track = aTrack(flight, timeMs)
      const hasTurned = timeMs > startMs + raisedSeconds * 1_000 && track.id === first?.trackId
      const course = track.id === 't1' ? 90 : 270
      const angle = (course * Math.PI) / 180 + half
      if (hasTurned && track.velocity) {
        track.velocity.eastMetresPerSecond = 120 * Math.sin(angle)
        track.velocity.northMetresPerSecond = 120 * Math.cos(angle)
      }
      return track
    })
  const [, next] = follow(headOn, raisedSeconds + 2, tracksAt)

  expect(next?.[0]).toMatchObject({ trackId: first?.trackId, turnDegrees: Math.round(turnDegrees / 2) })
})

test('in head-on, a turn to the right comes first', () => {
  const [advice = []] = follow(headOn, 30)

  expect(advice[0]).toMatchObject({ kind: 'heading' })
  for (const { turnDegrees } of advice) if (turnDegrees !== undefined) expect(turnDegrees).toBeGreaterThan(0)
})

test('alerts that continue from a snapshot hold the same advice', () => {
  expect(follow(crossing, 30, wavering, 12)).toEqual(follow(crossing, 30, wavering))
})

test('advice that was given in time is held when it is too late for a new one, until the tracks have passed', () => {
  // The limits of a drone are lost some 8 s before the closest approach: sooner than anyone reacts.
  const late: Flight[] = [
    { id: 't1', name: 'OHABC', velocity: [45, 0], up: 200 },
    { id: 't2', name: 'D1', drone: true, east: 19 * 45, north: 200, velocity: [-5, 0], up: 170 },
  ]
  const advised = follow(late, 17)
  const [first] = advised[0] ?? []

  expect(first).toMatchObject({ trackId: 't1' })
  expect(advised.length).toBeGreaterThan(12)
  for (const [advice] of advised) expect(advice).toEqual(first)
})

test('when separation is lost before anyone can react, advice brings it back', () => {
  const late: Flight[] = [
    { id: 't1', name: 'FIN5LA', velocity: [60, 0], up: 4_000 },
    { id: 't2', name: 'SAS12', east: 22 * 60 + 100, north: -22 * 60, velocity: [0, 60], up: 4_000 },
  ]
  const [advice] = follow(late, 3)

  expect(advice?.length).toBeGreaterThan(0)
  expect(advice?.map(({ kind }) => kind)).not.toContain('none')
})
