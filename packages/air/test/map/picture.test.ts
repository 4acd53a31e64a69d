import type { AirFrame } from '@posrep/spec'
import { beforeEach, describe, expect, test } from 'vitest'
import { createFramePacker } from '../../src/map/feed/pack-frames.ts'
import { placeLive, placePast } from '../../src/map/model/motion.ts'
import { createPicture, type Picture } from '../../src/map/model/picture.ts'
import { timeOf } from '../../src/map/model/trail.ts'
import { anAlert, aTrack } from '../an-air-track.ts'

const startMs = Date.UTC(2026, 0, 7, 12)
const at = (seconds: number) => new Date(startMs + seconds * 1_000).toISOString()

/** Flies east at 100 m/s on the equator: 0.000898 degrees a second. */
const aFlight = (seconds: number, differences = {}) =>
  aTrack({
    id: 't1',
    time: at(seconds),
    receivedAt: at(seconds),
    position: { lat: 0, lon: seconds * 0.000898, accuracy: 10 },
    groundVelocity: { x: 100, y: 0, z: 0 },
    ...differences,
  })

let picture: Picture
let receive: (frame: Partial<AirFrame>, seconds: number) => void
beforeEach(() => {
  picture = createPicture()
  const toRows = createFramePacker()
  receive = (frame, seconds) => {
    const empty = { notice: 'Not for navigation' as const, full: false, tracks: [], ended: [], alerts: [], sensors: [] }
    picture.apply(toRows({ ...empty, time: at(seconds), ...frame }), startMs + seconds * 1_000)
  }
})

const theFlight = () => {
  const target = picture.find('t1')
  if (!target) throw new Error('There is no target t1')
  return target
}
const lonOf = ({ shownX }: { shownX: number }) => shownX * 360 - 180

describe('a target', () => {
  test('flies on with its velocity between frames', () => {
    receive({ full: true, tracks: [aFlight(0)] }, 0)
    placeLive(theFlight(), startMs + 2_000)
    expect(lonOf(theFlight())).toBeCloseTo(0.001796, 5)
  })

  test('is where it was drawn when a new position corrects it, and then fades to where it is', () => {
    receive({ full: true, tracks: [aFlight(0)] }, 0)
    placeLive(theFlight(), startMs + 1_000)
    const before = lonOf(theFlight())
    receive({ tracks: [aFlight(1, { position: { lat: 0, lon: 0.0015 } })] }, 1)
    placeLive(theFlight(), startMs + 1_000)
    expect(lonOf(theFlight())).toBeCloseTo(before, 6)
    placeLive(theFlight(), startMs + 4_000)
    expect(lonOf(theFlight())).toBeCloseTo(0.0015 + 3 * 0.000898, 5)
  })

  test('does not fly on for ever without news', () => {
    receive({ full: true, tracks: [aFlight(0)] }, 0)
    placeLive(theFlight(), startMs + 3_600_000)
    expect(lonOf(theFlight())).toBeCloseTo(20 * 0.000898, 4)
  })

  test('is replayed between the points of its trail, and is absent before the first', () => {
    for (let seconds = 0; seconds <= 20; seconds += 5) {
      receive({ full: seconds === 0, tracks: [aFlight(seconds)] }, seconds)
    }
    placePast(theFlight(), startMs + 7_500)
    expect([theFlight().isThere, Math.round(theFlight().shownDirection)]).toEqual([true, 90])
    expect(lonOf(theFlight())).toBeCloseTo(7.5 * 0.000898, 5)
    placePast(theFlight(), startMs - 1_000)
    expect(theFlight().isThere).toBe(false)
  })

  test('keeps its trail when the picture begins anew', () => {
    receive({ full: true, tracks: [aFlight(0)] }, 0)
    receive({ tracks: [aFlight(10)] }, 10)
    receive({ full: true, tracks: [aFlight(20)] }, 20)
    expect([picture.targets.size, theFlight().trail.length]).toEqual([1, 3])
  })

  test('that is not in a whole picture has ended, and is kept for the replay', () => {
    receive({ full: true, tracks: [aFlight(0)] }, 0)
    receive({ full: true, tracks: [] }, 5)
    expect([picture.targets.size, picture.ended.map(({ id }) => id)]).toEqual([0, ['t1']])
  })

  test('that ended is not there in the replay from a minute after its last position', () => {
    receive({ full: true, tracks: [aFlight(0)] }, 0)
    receive({ ended: ['t1'] }, 5)
    const isThere = (seconds: number) => {
      placePast(theFlight(), startMs + seconds * 1_000)
      return theFlight().isThere
    }
    expect([isThere(30), isThere(61)]).toEqual([true, false])
  })

  test('that ended is one of those that are there in the replay, and not of those of now', () => {
    receive({ full: true, tracks: [aFlight(0)] }, 0)
    receive({ ended: ['t1'], tracks: [aFlight(100, { id: 't2' })] }, 100)
    const there = (seconds: number) => {
      for (const id of ['t1', 't2']) {
        const target = picture.find(id)
        if (target) placePast(target, startMs + seconds * 1_000)
      }
      return picture.visibleAt('replay').map(({ id }) => id)
    }
    expect([there(1), there(100), picture.visibleAt('now').map(({ id }) => id)]).toEqual([['t1'], ['t2'], ['t2']])
  })

  test('that ended before the page was open is replayed from its path', () => {
    receive({ full: true, tracks: [] }, 100)
    const about = { id: 't1', type: 'aa:target:drone' as const, identifiers: [], devices: [], hasEnded: true }
    const toPast = (seconds: number, altitudeMetres: number) => ({
      timeMs: startMs + seconds * 1_000,
      x: 0.5 + seconds / 1e6,
      y: 0.5,
      altitudeMetres,
    })
    picture.addPaths([{ ...about, past: [toPast(0, 100), toPast(10, 200)] }])
    placePast(theFlight(), startMs + 5_000)

    expect(theFlight()).toMatchObject({ kind: 'drone', hasEnded: true, isThere: true, shownAltitude: 150, shownUp: 10 })
    expect(picture.targets.size).toBe(0)
  })

  test('that ended is kept up to a limit, oldest first', () => {
    receive({ full: true, tracks: [] }, 0)
    const paths = Array.from({ length: 1_100 }, (_, n) => {
      const past = [{ timeMs: startMs - n, x: 0.5, y: 0.5, altitudeMetres: 0 }]
      return { id: `p${n}`, type: 'aa:target:drone' as const, identifiers: [], devices: [], hasEnded: true, past }
    })
    picture.addPaths(paths)
    expect([picture.ended.length, picture.ended[0]?.id, picture.ended.at(-1)?.id]).toEqual([1_000, 'p999', 'p0'])
  })

  test('has the points that the page did not see in their order, and no point twice', () => {
    receive({ full: true, tracks: [aFlight(20)] }, 20)
    receive({ tracks: [aFlight(40)] }, 40)
    const toPast = (seconds: number) => ({ timeMs: startMs + seconds * 1_000, x: 0.5, y: 0.5, altitudeMetres: 0 })
    picture.addHistory('t1', [toPast(0), toPast(10), toPast(21), toPast(30)])
    const { trail } = theFlight()

    expect(Array.from({ length: trail.length }, (_, n) => (timeOf(trail, n) - startMs) / 1_000)).toEqual([
      0, 10, 20, 30, 40,
    ])
  })

  test('that ended is forgotten when it leaves the window', () => {
    receive({ full: true, tracks: [aFlight(0)] }, 0)
    receive({ ended: ['t1'] }, 5)
    receive({}, 700)
    expect(picture.ended).toEqual([])
  })
})

test('active alerts come first, and their targets are marked until the alert ends', () => {
  const alert = anAlert({ kind: 'area', raisedAt: at(0), updatedAt: at(0) })
  const area = { areaId: 'a', areaName: 'A', trackId: 't1', predicted: false, secondsToEntry: 0 }
  const { conflict: _, ...ofArea } = { ...alert, area }
  receive({ full: true, tracks: [aFlight(0)], alerts: [ofArea] }, 0)
  expect(theFlight().isAlerted).toBe(true)
  receive({ alerts: [{ ...ofArea, state: 'ended', endedAt: at(1) }] }, 1)
  expect([theFlight().isAlerted, picture.alerts.map(({ state }) => state)]).toEqual([false, ['ended']])
})

test('how many more alerts there would be is that of the last frame', () => {
  receive({ full: true, moreAlerts: 12 }, 0)
  expect(picture.moreAlerts).toBe(12)
  receive({}, 1)
  expect(picture.moreAlerts).toBe(0)
})

test('texts are sent again only when they change', () => {
  const toRows = createFramePacker()
  const frame = (tracks = [aFlight(0)]): AirFrame => ({
    notice: 'Not for navigation',
    time: at(0),
    full: false,
    tracks,
    ended: [],
    alerts: [],
    sensors: [],
  })
  const counts = [frame(), frame([aFlight(1)]), frame([aFlight(2, { identifiers: [] })])].map(
    (one) => toRows(one).texts.length,
  )
  expect(counts).toEqual([1, 0, 1])
})
