/** Receptions and flights for tests of the tracker. */

import type { Correlator } from '../../src/correlation/correlator.ts'
import type { StandardIdentifier, StandardPosition } from '../../src/standard/standard-position.ts'
import type { Reception } from '../../src/track/track.ts'

export const startMs = Date.UTC(2026, 0, 7, 12)
const metresPerDegree = 111_195
const radians = Math.PI / 180

export interface GivenReception {
  sensor?: string
  /** After `startMs`. */
  seconds?: number
  /** After the position's time. Default: 0.3. */
  lagSeconds?: number
  sourceId?: string
  icao?: string
  identifiers?: StandardIdentifier[]
  latDegrees?: number
  lonDegrees?: number
  accuracyMetres?: number
  /** East and north, m/s. */
  velocity?: readonly [number, number]
  heightMetres?: number
  /** Ages of the position, the height and the velocity. */
  ageSeconds?: number
  heightAgeSeconds?: number
  velocityAgeSeconds?: number
  /** Climbing is positive. */
  upMetresPerSecond?: number
  onGround?: boolean
}

export function aReception(given: GivenReception = {}): Reception {
  const { sensor = 'a', seconds = 0, lagSeconds = 0.3, sourceId, icao, identifiers = [], velocity } = given
  const { ageSeconds, heightMetres, heightAgeSeconds, velocityAgeSeconds, upMetresPerSecond } = given
  const timeMs = startMs + seconds * 1_000
  const position: StandardPosition = {
    id: `${sensor} ${seconds}`,
    timeMs,
    target: {
      ...(sourceId !== undefined && { sourceId }),
      identifiers: icao === undefined ? identifiers : [{ kind: 'ICAO', id: icao, type: 'ICAO' }, ...identifiers],
    },
    latDegrees: given.latDegrees ?? 60,
    lonDegrees: given.lonDegrees ?? 25,
    accuracy: { metres: given.accuracyMetres ?? 20, provenance: 'given' },
    ...toAge(ageSeconds),
    altitudes:
      heightMetres === undefined
        ? []
        : [{ heightMetres, datum: 'bar', provenance: 'given', ...toAge(heightAgeSeconds) }],
    ...(given.onGround !== undefined && { onGround: given.onGround }),
    ...(velocity && {
      groundVelocity: {
        eastMetresPerSecond: velocity[0],
        northMetresPerSecond: velocity[1],
        ...(upMetresPerSecond !== undefined && { upMetresPerSecond }),
        ...toAge(velocityAgeSeconds),
      },
    }),
  }
  return { deviceUrn: `urn:device:${sensor}`, receivedAtMs: timeMs + lagSeconds * 1_000, position }
}

function toAge(seconds: number | undefined): { ageMs?: number } {
  return seconds === undefined ? {} : { ageMs: seconds * 1_000 }
}

export interface Flight {
  latDegrees: number
  lonDegrees: number
  /** East and north, m/s. */
  velocity: readonly [number, number]
}

/** The place of a flight in a straight line, for `aReception`. */
export function at({ latDegrees, lonDegrees, velocity }: Flight, seconds: number) {
  const [east, north] = velocity
  const lon = lonDegrees + (east * seconds) / (metresPerDegree * Math.cos(latDegrees * radians))
  return {
    seconds,
    latDegrees: latDegrees + (north * seconds) / metresPerDegree,
    lonDegrees: ((((lon + 180) % 360) + 360) % 360) - 180,
    velocity,
  }
}

/** Reports a straight flight once a second, with ticks. Returns the track of the last position. */
export function fly(tracker: Correlator, given: GivenReception, along: Flight, from: number, to: number): string {
  let id = ''
  for (let seconds = from; seconds <= to; seconds++) {
    id = tracker.observe(aReception({ ...given, ...at(along, seconds) })) ?? ''
    tick(tracker, seconds)
  }
  return id
}

export function tick(tracker: Correlator, seconds: number): void {
  tracker.advance(startMs + Math.floor(seconds + 1) * 1_000)
}
