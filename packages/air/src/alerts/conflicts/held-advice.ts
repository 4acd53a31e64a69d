/**
 * Advice that was given, as it is held: a heading, a speed or a level, so that what is left of it becomes less while
 * the target follows it.
 * In: a change that is advised to a track, and later the track again. Out: what is left of the change. Estimates that
 * move only a little are noise, and leave the advice as it is.
 */
import type { AltitudeDatum } from '@posrep/spec'
import type { Mover } from '../mover.ts'
import type { Change } from './manoeuvre.ts'

export interface HeldAdvice {
  trackId: string
  change: Change
  givenAtMs: number
  courseDegrees: number
  speedMetresPerSecond: number
  height?: { datum: AltitudeDatum; metres: number }
}

const steadyDegrees = 6
const steadyMetresPerSecond = 4
const steadyMetres = 25

export function hold(mover: Mover, change: Change, nowMs: number): HeldAdvice {
  const [altitude] = mover.altitudes
  return {
    trackId: mover.id,
    change,
    givenAtMs: nowMs,
    courseDegrees: courseOf(mover),
    speedMetresPerSecond: mover.speedMetresPerSecond,
    ...(altitude && { height: { datum: altitude.datum, metres: altitude.heightMetres } }),
  }
}

export function leftOf({ change, courseDegrees, speedMetresPerSecond, height }: HeldAdvice, mover: Mover): Change {
  switch (change.kind) {
    case 'heading': {
      const turned = toHalfCircle(courseOf(mover) - courseDegrees)
      return { ...change, turnDegrees: subtract(change.turnDegrees, turned, steadyDegrees) }
    }
    case 'speed': {
      const by = mover.speedMetresPerSecond - speedMetresPerSecond
      const left = subtract(change.speedChangeMetresPerSecond, by, steadyMetresPerSecond)
      return { ...change, speedChangeMetresPerSecond: left }
    }
    case 'level': {
      const now = mover.altitudes.find(({ datum }) => datum === height?.datum)
      const climbed = now && height ? now.heightMetres - height.metres : 0
      return { ...change, levelChangeMetres: subtract(change.levelChangeMetres, climbed, steadyMetres) }
    }
  }
}

/** Which way: 1 to the right, faster or up. */
export function sideOf(change: Change): number {
  switch (change.kind) {
    case 'heading':
      return Math.sign(change.turnDegrees)
    case 'speed':
      return Math.sign(change.speedChangeMetresPerSecond)
    case 'level':
      return Math.sign(change.levelChangeMetres)
  }
}

/** What was done, if it is more than noise; never the other way. */
function subtract(change: number, done: number, steady: number): number {
  if (Math.abs(done) <= steady) return change
  const left = Math.round(change - done)
  return Math.sign(left) === Math.sign(change) ? left : 0
}

function courseOf({ eastMetresPerSecond, northMetresPerSecond }: Mover): number {
  return (Math.atan2(eastMetresPerSecond, northMetresPerSecond) * 180) / Math.PI
}

function toHalfCircle(degrees: number): number {
  return degrees - 360 * Math.round(degrees / 360)
}
