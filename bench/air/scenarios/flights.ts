/**
 * Flights in straight lines and circles, with climbs.
 * In: where a flight begins, and its legs. Out: a true target. The real air is not the standard atmosphere: heights
 * above mean sea level differ from pressure altitudes.
 */
import { displaced, type TrueState, type TrueTarget } from '../metrics/truth.ts'

export interface Leg {
  seconds: number
  /** Clockwise. */
  turnDegreesPerSecond?: number
  climbMetresPerSecond?: number
  accelerationMetresPerSecondSquared?: number
  onGround?: boolean
}

export interface FlightPlan {
  identity: string
  eastMetres: number
  northMetres: number
  pressureMetres: number
  courseDegrees: number
  speedMetresPerSecond: number
  legs: readonly Leg[]
  isDrone?: boolean
}

export const startMs = Date.UTC(2026, 5, 1, 12)
export const origin = { latDegrees: 60, lonDegrees: 25 }
const radians = Math.PI / 180

export interface Atmosphere {
  /** Height above mean sea level where the pressure altitude is 0. */
  seaLevelMetres: number
  /** Below 1 in cold air. */
  stretch: number
}

/** 1,019 hPa, 10 K colder than the standard. */
const coldAir: Atmosphere = { seaLevelMetres: 48, stretch: 0.96 }

export function fly(plan: FlightPlan, air: Atmosphere = coldAir): TrueTarget {
  const { identity, isDrone = false, legs } = plan
  const seconds = legs.reduce((sum, leg) => sum + leg.seconds, 0)
  const states = Array.from({ length: Math.floor(seconds * stepsPerSecond) + 2 }, () => emptyState)
  let { eastMetres, northMetres, pressureMetres, courseDegrees, speedMetresPerSecond } = plan
  let step = 0
  for (const leg of legs) {
    const { climbMetresPerSecond = 0, turnDegreesPerSecond = 0, accelerationMetresPerSecondSquared = 0 } = leg
    for (let left = Math.round(leg.seconds * stepsPerSecond); left >= 0; left--) {
      const east = speedMetresPerSecond * Math.sin(courseDegrees * radians)
      const north = speedMetresPerSecond * Math.cos(courseDegrees * radians)
      states[step] = {
        ...displaced(origin, eastMetres, northMetres),
        pressureMetres,
        geometricMetres: air.seaLevelMetres + air.stretch * pressureMetres,
        eastMetresPerSecond: east,
        northMetresPerSecond: north,
        upMetresPerSecond: climbMetresPerSecond,
        onGround: leg.onGround ?? false,
      }
      if (left === 0) break
      step++
      eastMetres += east / stepsPerSecond
      northMetres += north / stepsPerSecond
      pressureMetres += climbMetresPerSecond / stepsPerSecond
      courseDegrees += turnDegreesPerSecond / stepsPerSecond
      speedMetresPerSecond += accelerationMetresPerSecondSquared / stepsPerSecond
    }
  }
  const last = step
  return {
    identity,
    isDrone,
    at(timeMs) {
      const at = ((timeMs - startMs) / 1_000) * stepsPerSecond
      const [before, after] = [states[Math.floor(at)], states[Math.min(last, Math.floor(at) + 1)]]
      if (at < 0 || at > last || !before || !after) return undefined
      return between(before, after, at - Math.floor(at))
    },
  }
}

const stepsPerSecond = 4
const emptyState: TrueState = {
  ...origin,
  pressureMetres: 0,
  geometricMetres: 0,
  eastMetresPerSecond: 0,
  northMetresPerSecond: 0,
  upMetresPerSecond: 0,
  onGround: true,
}

function between(before: TrueState, after: TrueState, share: number): TrueState {
  const mix = (from: number, to: number) => from + share * (to - from)
  return {
    ...before,
    latDegrees: mix(before.latDegrees, after.latDegrees),
    lonDegrees: mix(before.lonDegrees, after.lonDegrees),
    pressureMetres: mix(before.pressureMetres, after.pressureMetres),
    geometricMetres: mix(before.geometricMetres, after.geometricMetres),
  }
}
