import type { AirAdvice } from '@posrep/spec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lossOfSeparation, separationAt } from '../../../src/alerts/conflicts/closest-approach.ts'
import { toEncounter } from '../../../src/alerts/conflicts/encounter.ts'
import { type Change, fly, type Piece } from '../../../src/alerts/conflicts/manoeuvre.ts'
import { createGround } from '../../../src/alerts/ground.ts'
import { createHeights } from '../../../src/alerts/heights.ts'
import { type Mover, toMover } from '../../../src/alerts/mover.ts'
import { limitsFor } from '../../../src/alerts/separation.ts'
import type { Track } from '../../../src/track/track.ts'
import { aTrack, type Flight, flying, run, startMs } from '../a-track.ts'

/** The tracks with the advice carried out at once, to be given to the predictor again. */
function carryOut(tracks: Track[], advice: AirAdvice): Track[] {
  return tracks.map((track) => {
    if (track.id !== advice.trackId || !track.velocity) return track
    const { eastMetresPerSecond: east, northMetresPerSecond: north } = track.velocity
    if (advice.kind === 'level') {
      const change = advice.levelChangeMetres ?? Number.NaN
      const altitudes = track.altitudes.map((one) => ({ ...one, heightMetres: one.heightMetres + change }))
      return { ...track, altitudes, upMetresPerSecond: 0 }
    }
    const turn = ((advice.turnDegrees ?? 0) * Math.PI) / 180
    const speed = Math.hypot(east, north)
    const factor = (speed + (advice.speedChangeMetresPerSecond ?? 0)) / speed
    return {
      ...track,
      velocity: {
        ...track.velocity,
        eastMetresPerSecond: factor * (east * Math.cos(turn) + north * Math.sin(turn)),
        northMetresPerSecond: factor * (north * Math.cos(turn) - east * Math.sin(turn)),
      },
    }
  })
}

/** The conflicts of this moment: it is repeated, without motion, until an alert is raised. */
function predict(tracks: Track[]) {
  const { alerts } = run({ seconds: 3, tracksAt: (timeMs) => tracks.map((track) => ({ ...track, timeMs })) })
  return alerts.list().flatMap(({ conflict }) => conflict ?? [])
}

const idsOf = (conflict: { tracks: { trackId: string }[] }) => conflict.tracks.map(({ trackId }) => trackId)

/** The smallest distances while the advice is flown, sampled each half second, as parts of the limits. */
function flown(tracks: Track[], advice: AirAdvice, seconds: number): number {
  const movers = tracks.map((track) => toMover(track, startMs)).filter((mover) => mover !== undefined)
  const own = movers.find(({ id }) => id === advice.trackId)
  if (!own) throw new Error('The advice is for an unknown track')
  const path = fly(own, advice as Change)
  let smallest = Number.POSITIVE_INFINITY
  for (const other of movers) {
    if (other === own) continue
    const { motion } = toEncounter(own, other, createHeights([own, other]))
    const sign = own.id < other.id ? 1 : -1
    const limits = limitsFor('automatic', {
      hasDrone: own.isDrone || other.isDrone,
      speedMetresPerSecond: Math.max(own.speedMetresPerSecond, other.speedMetresPerSecond),
      heightMetres: createGround(movers, createHeights(movers)).heightOfBoth(own, other),
      isFormation: false,
    })
    for (let second = 0; second <= seconds; second += 0.5) {
      const at = positionOn(path, second)
      const relative = separationAt(
        {
          eastMetres: sign * motion.eastMetres + other.eastMetresPerSecond * second - at.east,
          northMetres: sign * motion.northMetres + other.northMetresPerSecond * second - at.north,
          upMetres: sign * (motion.upMetres ?? 0) + other.upMetresPerSecond * second - at.up,
          eastMetresPerSecond: 0,
          northMetresPerSecond: 0,
          upMetresPerSecond: 0,
        },
        0,
      )
      const part = Math.max(
        relative.horizontalMetres / limits.horizontalMetres,
        (relative.verticalMetres ?? 0) / limits.verticalMetres,
      )
      smallest = Math.min(smallest, part)
    }
  }
  return smallest
}

function positionOn(path: readonly Piece[], second: number) {
  const piece = path.findLast(({ fromSeconds }) => fromSeconds <= second)
  if (!piece) throw new Error('The path has no piece')
  const elapsed = second - piece.fromSeconds
  return {
    east: piece.eastMetres + piece.eastMetresPerSecond * elapsed,
    north: piece.northMetres + piece.northMetresPerSecond * elapsed,
    up: piece.upMetres + piece.upMetresPerSecond * elapsed,
  }
}

const headOn: Flight[] = [
  { id: 't1', name: 'FIN5LA', velocity: [120, 0], up: 4_000 },
  { id: 't2', name: 'SAS12', east: 9_400, north: 100, velocity: [-120, 0], up: 4_000 },
]
const tracksOf = (flights: Flight[]) => flights.map((flight, index) => aTrack({ id: `t${index + 1}`, ...flight }))

describe('advice', () => {
  test('for two head-on aircraft has each kind that helps, the smallest effort first', () => {
    const [conflict] = predict(tracksOf(headOn))
    expect(conflict?.advice.map(({ kind, trackId }) => `${kind} ${trackId}`)).toEqual(
      expect.arrayContaining(['heading t1', 'heading t2', 'level t1', 'level t2']),
    )
    for (const { text } of conflict?.advice ?? []) {
      expect(text).toMatch(/^(?:FIN5LA|SAS12): (?:turn \d+ degrees to the (?:left|right)|(?:climb|descend) \d+ m)$/)
    }
  })

  test('carried out at once, clears every pair of the track that changes', () => {
    const tracks = tracksOf(headOn)
    const advice = predict(tracks)[0]?.advice ?? []
    expect(advice.length).toBeGreaterThan(2)
    for (const one of advice) expect(predict(carryOut(tracks, one))).toEqual([])
  })

  test('flown with delay and turn rate, keeps every limit', () => {
    const tracks = tracksOf(headOn)
    for (const one of predict(tracks)[0]?.advice ?? []) expect(flown(tracks, one, 90)).toBeGreaterThanOrEqual(1)
  })

  test('is the smallest in its steps: half of it is not enough', () => {
    const tracks = tracksOf(headOn)
    for (const one of predict(tracks)[0]?.advice ?? []) {
      const half: AirAdvice = {
        ...one,
        ...(one.turnDegrees !== undefined && { turnDegrees: one.turnDegrees / 2 }),
        ...(one.levelChangeMetres !== undefined && { levelChangeMetres: one.levelChangeMetres / 2 }),
      }
      expect(flown(tracks, half, 90)).toBeLessThan(1)
    }
  })

  test('avoids a third aircraft: one that blocks the left side and the level above is not flown into', () => {
    const third: Flight[] = [
      ...headOn,
      { id: 't3', east: 4_500, north: 1_900, velocity: [0, 0.1], up: 4_150, track: { type: 'aa:target:aircraft' } },
    ]
    const alone = predict(tracksOf(headOn))[0]?.advice ?? []
    const tracks = tracksOf(third)
    const conflict = predict(tracks).find((one) => idsOf(one).join() === 't1,t2')
    expect(conflict?.advice).not.toEqual(alone)
    for (const one of conflict?.advice ?? []) {
      expect(one.kind).not.toBe('none')
      const left = predict(carryOut(tracks, one)).filter((other) => idsOf(other).includes(one.trackId ?? ''))
      expect(left).toEqual([])
      expect(flown(tracks, one, 90)).toBeGreaterThanOrEqual(1)
    }
  })

  test('says that there is none, when every change leads into another aircraft', () => {
    const walls = [-3, -2, -1, 1, 2, 3].flatMap((row) =>
      [3_100, 3_350, 3_600, 3_850, 4_000, 4_150, 4_400, 4_650].map((up, index) => ({
        id: `w${row + 3}${index}`,
        east: 3_800,
        north: row * 1_250,
        velocity: [0.1, 0] as [number, number],
        up,
      })),
    )
    const conflict = predict(tracksOf([...headOn, ...walls])).find((one) => idsOf(one).join() === 't1,t2')
    expect(conflict?.advice).toEqual([
      { kind: 'none', text: expect.stringContaining('restores separation from all tracks') },
    ])
  })

  test('does not lead below the lowest height: no descent near unknown ground', () => {
    const low = headOn.map((flight) => ({ ...flight, up: 500 }))
    const levels = predict(tracksOf(low)).flatMap(({ advice }) => advice.filter(({ kind }) => kind === 'level'))
    expect(levels.length).toBeGreaterThan(0)
    for (const { levelChangeMetres } of levels) expect(levelChangeMetres).toBeGreaterThan(0)
  })

  test('for an aircraft that climbs through the level of another one is to stay below it', () => {
    const conflict = predict(
      tracksOf([
        { name: 'FIN5LA', velocity: [120, 0, 10], up: 3_700 },
        { east: 9_000, velocity: [-120, 0], up: 4_000 },
      ]),
    )[0]
    const level = conflict?.advice.find(({ kind, trackId }) => kind === 'level' && trackId === 't1')
    expect(level).toMatchObject({ levelChangeMetres: 0, text: 'FIN5LA: stay at the present level' })
  })

  test('does not change level when the altitudes cannot be compared', () => {
    const conflict = predict(
      tracksOf(headOn.map((flight, index) => (index === 0 ? { ...flight, up: null } : flight))),
    )[0]
    expect(conflict?.advice.some(({ kind }) => kind === 'level')).toBe(false)
  })

  test('in random traffic always clears the track that changes from all others', () => {
    const flight = fc.record({
      east: fc.integer({ min: -7_000, max: 7_000 }),
      north: fc.integer({ min: -7_000, max: 7_000 }),
      up: fc.integer({ min: 3_500, max: 4_200 }),
      velocity: fc.tuple(
        fc.integer({ min: -150, max: 150 }),
        fc.integer({ min: -150, max: 150 }),
        fc.integer({ min: -8, max: 8 }),
      ),
      drone: fc.boolean(),
    })
    let advised = 0
    fc.assert(
      fc.property(fc.array(flight, { minLength: 2, maxLength: 6 }), (flights) => {
        const tracks = tracksOf(flights)
        for (const { advice, tracks: pair } of predict(tracks)) {
          for (const one of advice) {
            if (one.kind === 'none') continue
            advised++
            expect(pair.map(({ trackId }) => trackId)).toContain(one.trackId)
            const left = predict(carryOut(tracks, one)).filter((other) => idsOf(other).includes(one.trackId ?? ''))
            // A pair that is below the limits before a change can begin needs time to get clear of them.
            const isNew = left.filter(({ timeToClosestSeconds }) => timeToClosestSeconds > 0)
            expect(isNew.filter((other) => !isLostSoon(tracks, idsOf(other)))).toEqual([])
          }
        }
      }),
      { numRuns: 600 },
    )
    // How many depends on the traffic.
    expect(advised).toBeGreaterThan(0)
  })
})

function isLostSoon(tracks: Track[], ids: string[]): boolean {
  const [own, other] = ids.map((id) => tracks.find((track) => track.id === id)).map(toMoverNow)
  if (!own || !other) return false
  const { motion } = toEncounter(own, other, createHeights([own, other]))
  const limits = limitsFor('automatic', {
    hasDrone: own.isDrone || other.isDrone,
    speedMetresPerSecond: Math.max(own.speedMetresPerSecond, other.speedMetresPerSecond),
    heightMetres: createGround([own, other], createHeights([own, other])).heightOfBoth(own, other),
    isFormation: false,
  })
  return lossOfSeparation(motion, limits, { fromSeconds: 0, toSeconds: 10 }) !== undefined
}

function toMoverNow(track: Track | undefined): Mover | undefined {
  return track && toMover(track, startMs)
}

describe('a turn', () => {
  test('of 90 degrees at 60 m/s ends a quarter of a circle of 1,146 m further', () => {
    const mover = toMover(aTrack({ velocity: [0, 60] }), startMs)
    if (!mover) throw new Error('No mover')
    const last = fly(mover, { kind: 'heading', turnDegrees: 90 }).at(-1)
    // 3° a second: 30 s after a delay of 10 s, in which 600 m are flown.
    expect(last?.fromSeconds).toBeCloseTo(40, 6)
    expect(last?.eastMetres).toBeCloseTo(1_145.9, 0)
    expect(last?.northMetres).toBeCloseTo(600 + 1_145.9, 0)
    expect(last?.eastMetresPerSecond).toBeCloseTo(60, 6)
  })

  test('at 230 m/s is as slow as a bank of 25 degrees makes it', () => {
    const mover = toMover(aTrack({ velocity: [0, 230] }), startMs)
    if (!mover) throw new Error('No mover')
    const last = fly(mover, { kind: 'heading', turnDegrees: 30 }).at(-1)
    expect(last?.fromSeconds).toBeCloseTo(10 + 30 / 1.139, 1)
  })
})

test('conflicts beyond the budget for advice say that none was looked for', () => {
  const flights: Flight[] = Array.from({ length: 120 }, (_, index) => ({
    id: `t${String(index).padStart(3, '0')}`,
    east: (index % 10) * 300,
    north: Math.floor(index / 10) * 300,
    velocity: [index % 2 === 0 ? 100 : -100, 0] as [number, number],
    up: 1_000,
  }))
  const { alerts } = run({ seconds: 2, tracksAt: flying(...flights) })
  const texts = alerts.list().flatMap(({ conflict }) => conflict?.advice.map(({ text }) => text) ?? [])
  expect(texts).toContain('There are too many conflicts at once to look for advice in each')
})
