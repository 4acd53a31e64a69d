/** Targets that turn, seen with normal noise from a fixed seed. */
import { expect, test } from 'vitest'
import { createCorrelator } from '../../src/correlation/correlator.ts'
import type { Track } from '../../src/track/track.ts'
import { createNoise } from '../noise.ts'
import { aReception, type GivenReception, tick } from './a-reception.ts'

const metresPerDegree = 111_195
const radians = Math.PI / 180
const speed = 120

/** Straight to the north for a minute, then a circle at 3 degrees a second to the right. */
function circleAt(seconds: number) {
  const course = Math.max(0, seconds - 60) * 3 * radians
  const radius = speed / (3 * radians)
  return {
    east: radius * (1 - Math.cos(course)),
    north: speed * Math.min(seconds, 60) + radius * Math.sin(course),
    velocity: [speed * Math.sin(course), speed * Math.cos(course)] as const,
  }
}

interface Watched {
  /** Distances at each second, of the estimate carried on straight to that second. */
  errorsMetres: number[]
  velocityErrors: number[]
  /** The same of the latest report. */
  reportedMetres: number[]
  trackIds: Set<string>
}

function watch(
  given: GivenReception,
  intervalSeconds: number,
  { position, velocity }: { position: number; velocity?: number },
): Watched {
  const tracker = createCorrelator()
  const noise = createNoise(7)
  const watched: Watched = { errorsMetres: [], velocityErrors: [], reportedMetres: [], trackIds: new Set() }
  let reported: Parameters<typeof errorAt>[0] | undefined
  for (let seconds = 0; seconds < 360; seconds++) {
    if (seconds % intervalSeconds === 0) {
      const { east, north, velocity: flown } = circleAt(seconds)
      const [x, y] = [east + position * noise(), north + position * noise()]
      const seen = velocity === undefined ? flown : ([flown[0] + noise(), flown[1] + noise()] as const)
      reported = { seconds, east: x, north: y, velocity: seen }
      const id = tracker.observe(
        aReception({
          ...given,
          seconds,
          latDegrees: y / metresPerDegree,
          lonDegrees: 25 + x / metresPerDegree,
          ...(velocity !== undefined && { velocity: seen }),
        }),
      )
      if (id !== undefined && seconds > 20) watched.trackIds.add(id)
    }
    tick(tracker, seconds)
    const [track] = tracker.tracks()
    if (seconds <= 20 || !track || !reported) continue
    watched.errorsMetres.push(errorAt(toState(track), seconds + 0.9))
    watched.reportedMetres.push(errorAt(reported, seconds + 0.9))
    const { eastMetresPerSecond = 0, northMetresPerSecond = 0 } = track.velocity ?? {}
    const [u, v] = circleAt(toState(track).seconds).velocity
    watched.velocityErrors.push(Math.hypot(eastMetresPerSecond - u, northMetresPerSecond - v))
  }
  return watched
}

function toState({ timeMs, latDegrees, lonDegrees, velocity }: Track) {
  return {
    seconds: (timeMs - Date.UTC(2026, 0, 7, 12)) / 1_000,
    east: (lonDegrees - 25) * metresPerDegree,
    north: latDegrees * metresPerDegree,
    velocity: [velocity?.eastMetresPerSecond ?? 0, velocity?.northMetresPerSecond ?? 0] as const,
  }
}

function errorAt({ seconds, east, north, velocity: [u, v] }: ReturnType<typeof toState>, atSeconds: number): number {
  const truth = circleAt(atSeconds)
  const elapsed = atSeconds - seconds
  return Math.hypot(east + u * elapsed - truth.east, north + v * elapsed - truth.north)
}

function rmsOf(errors: readonly number[]): number {
  return Math.sqrt(errors.reduce((sum, one) => sum + one * one, 0) / errors.length)
}

test('a target that circles on radar alone is one track, within 200 m', () => {
  const { errorsMetres, trackIds } = watch({ sensor: 'radar', accuracyMetres: 250 }, 4, { position: 102 })

  expect(trackIds.size).toBe(1)
  expect(rmsOf(errorsMetres)).toBeLessThan(200)
})

test('the velocity of a target that circles and tells its velocity is within 2 m/s', () => {
  const { velocityErrors } = watch({ icao: '461F67', accuracyMetres: 30 }, 1, { position: 12, velocity: 1 })

  expect(rmsOf(velocityErrors)).toBeLessThan(2)
})

test('the track of a target that circles is nearer to it than its last report, carried on', () => {
  const { errorsMetres, reportedMetres } = watch({ icao: '461F67', accuracyMetres: 30 }, 2, {
    position: 12,
    velocity: 1,
  })

  expect(rmsOf(errorsMetres)).toBeLessThan(rmsOf(reportedMetres))
})
