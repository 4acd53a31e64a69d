import type { AirFrame, AirTrack } from '@posrep/spec'
import { expect, test } from 'vitest'
import { createReplica } from '../../src/air/pictures/replica.ts'

const noAreas = { type: 'FeatureCollection' as const, features: [] }
const time = '2026-01-07T12:00:00.000Z'

function aTrack(id: string, positions = 1): AirTrack {
  return {
    id,
    state: 'live',
    identifiers: [],
    time,
    receivedAt: time,
    position: { lat: 60, lon: 24 },
    altitudes: [],
    sensors: [],
    positions,
  }
}

function aMessage(sequence: number, given: Partial<AirFrame> = {}, holder = 'a') {
  const frame: AirFrame = {
    notice: 'Not for navigation',
    time,
    full: false,
    tracks: [],
    ended: [],
    alerts: [],
    sensors: [],
    ...given,
  }
  return { holder, sequence, frame: JSON.stringify(frame) }
}

test('frames change the picture, and those who watch it get them', () => {
  const replica = createReplica(noAreas, 0)
  const seen: number[] = []
  replica.watch((_, sequence) => seen.push(sequence))

  expect(replica.apply(aMessage(7, { full: true, tracks: [aTrack('t1'), aTrack('t2')] }))).toBe(true)
  expect(replica.apply(aMessage(8, { tracks: [aTrack('t1', 2)], ended: ['t2'] }))).toBe(true)

  expect([...replica.tracks()]).toEqual([aTrack('t1', 2)])
  expect(seen).toEqual([7, 8])
})

test('a frame after a missing one, or of another holder, is refused until the whole picture arrives', () => {
  const replica = createReplica(noAreas, 0)
  replica.apply(aMessage(7, { full: true }))

  expect(replica.apply(aMessage(9, { tracks: [aTrack('t1')] }))).toBe(false)
  expect(replica.apply(aMessage(8, { tracks: [aTrack('t1')] }, 'b'))).toBe(false)
  expect([...replica.tracks()]).toEqual([])
  expect(replica.apply(aMessage(20, { full: true, tracks: [aTrack('t1')] }, 'b'))).toBe(true)
  expect(replica.apply(aMessage(21, { ended: ['t1'] }, 'b'))).toBe(true)
  expect([...replica.tracks()]).toEqual([])
})

test('what changed since a frame is one frame, with each track as it is now', () => {
  const replica = createReplica(noAreas, 0)
  replica.apply(aMessage(7, { full: true, tracks: [aTrack('t1'), aTrack('t2')] }))
  replica.apply(aMessage(8, { tracks: [aTrack('t1', 2), aTrack('t3')] }))
  replica.apply(aMessage(9, { tracks: [aTrack('t1', 3)], ended: ['t3'] }))

  expect(replica.since(7)).toMatchObject({ full: false, tracks: [aTrack('t1', 3)], ended: ['t3'] })
  expect(replica.since(9)).toMatchObject({ tracks: [], ended: [] })
  expect(replica.since(6)).toBeUndefined()
  expect(replica.since(10)).toBeUndefined()
})

test('changes are kept for two minutes', () => {
  const replica = createReplica(noAreas, 0)
  replica.apply(aMessage(1, { full: true }))
  const startMs = Date.parse(time)
  for (let n = 1; n <= 300; n++) {
    replica.apply(aMessage(1 + n, { time: new Date(startMs + n * 1_000).toISOString(), tracks: [aTrack('t1', n)] }))
  }

  expect(replica.since(301 - 100)).toBeDefined()
  expect(replica.since(301 - 130)).toBeUndefined()
})

test('a whole picture tells those who watch only of active alerts; the list also has those that ended', () => {
  const replica = createReplica(noAreas, 0)
  const frames: AirFrame[] = []
  replica.watch((frame) => frames.push(frame))
  const alert = { kind: 'silentSensor' as const, raisedAt: time, updatedAt: time, text: '' }
  const active = { ...alert, id: 'a1', state: 'active' as const, endedAt: null }
  const ended = { ...alert, id: 'a2', state: 'ended' as const, endedAt: time }

  replica.apply(aMessage(1, { full: true, alerts: [ended, active] }))

  expect(frames[0]?.alerts).toEqual([active])
  expect(replica.alerts()).toEqual([active, ended])
})

test('how many conditions are no alerts is as in the last frame', () => {
  const replica = createReplica(noAreas, 0)
  replica.apply(aMessage(1, { full: true }))
  replica.apply(aMessage(2, { moreAlerts: 7 }))
  expect([replica.moreAlerts(), replica.since(1)?.moreAlerts]).toEqual([7, 7])

  replica.apply(aMessage(3))
  expect([replica.moreAlerts(), replica.since(1)?.moreAlerts]).toEqual([0, undefined])
})
