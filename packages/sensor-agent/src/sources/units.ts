/**
 * Converts the units of receivers to those of the document.
 * In: feet, knots, feet per minute, speed and track. Out: metres, metres per second, east and north components.
 */
import type { Height } from '@posrep/spec'

const metresPerFoot = 0.3048
/** One nautical mile (1,852 m) per hour. */
const metresPerSecondPerKnot = 1_852 / 3_600
const metresPerSecondPerFootPerMinute = 0.3048 / 60

export function feetToMetres(feet: number): number {
  return round(feet * metresPerFoot, 4)
}

/** The vertical component `z`, positive upwards. */
export function feetPerMinuteToUp(feetPerMinute: number): number {
  return round(feetPerMinute * metresPerSecondPerFootPerMinute, 5)
}

/**
 * The east (`x`) and north (`y`) components, from a speed and a direction in degrees clockwise from true north. A speed
 * of 0 needs no direction; any other speed without one has no components, and a negative one is none.
 */
export function toEastNorth(
  metresPerSecond: number | undefined,
  directionDegrees: number | undefined,
): { x: number; y: number } | undefined {
  if (metresPerSecond === 0) return { x: 0, y: 0 }
  if (metresPerSecond === undefined || metresPerSecond < 0 || directionDegrees === undefined) return undefined
  const radians = (directionDegrees * Math.PI) / 180
  return { x: round(metresPerSecond * Math.sin(radians), 3), y: round(metresPerSecond * Math.cos(radians), 3) }
}

export function knotsToEastNorth(knots: number | undefined, directionDegrees: number | undefined) {
  return toEastNorth(knots === undefined ? undefined : knots * metresPerSecondPerKnot, directionDegrees)
}

export function round(value: number, digits: number): number {
  // Adding zero turns -0 into 0.
  return Math.round(value * 10 ** digits) / 10 ** digits + 0
}

export function isOnEarth(lat: number, lon: number): boolean {
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180
}

/** The height of a target that says that it is on the ground. */
export const atGround: Height = { height: 0, datum: 'agl' }
