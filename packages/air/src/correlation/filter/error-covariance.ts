/**
 * How uncertain the constant errors of a sensor are: those of its clock and its place together. When all targets fly in
 * one direction, an offset of the clock cannot be told from one of the place: each is uncertain, but what they do to
 * these targets is not.
 */

/** Of the clock's offset (s²), with the place (s m), and of the place (m²). */
export interface ErrorCovariance {
  time: number
  timeEast: number
  timeNorth: number
  east: number
  eastNorth: number
  north: number
}

export const noErrors: Readonly<ErrorCovariance> = toErrorCovariance(0, 0)

/** Independent errors, the same in all directions. */
export function toErrorCovariance(timeVariance: number, placeVariance: number): ErrorCovariance {
  return {
    time: timeVariance,
    timeEast: 0,
    timeNorth: 0,
    east: placeVariance,
    eastNorth: 0,
    north: placeVariance,
  }
}

/** The same, and variances of what is independent of it. */
export function addErrors(to: Readonly<ErrorCovariance>, time: number, place: number): ErrorCovariance {
  return { ...to, time: to.time + time, east: to.east + place, north: to.north + place }
}

export function sumErrors(a: Readonly<ErrorCovariance>, b: Readonly<ErrorCovariance>): ErrorCovariance {
  return {
    time: a.time + b.time,
    timeEast: a.timeEast + b.timeEast,
    timeNorth: a.timeNorth + b.timeNorth,
    east: a.east + b.east,
    eastNorth: a.eastNorth + b.eastNorth,
    north: a.north + b.north,
  }
}

/** m²: of the position along a direction in which a target flies. */
export function alongVarianceOf(
  { time, timeEast, timeNorth, east, eastNorth, north }: Readonly<ErrorCovariance>,
  alongEast: number,
  alongNorth: number,
  speed: number,
): number {
  const place = alongEast ** 2 * east + 2 * alongEast * alongNorth * eastNorth + alongNorth ** 2 * north
  return Math.max(0, speed * speed * time - 2 * speed * (alongEast * timeEast + alongNorth * timeNorth) + place)
}

/** m²: across it, where the clock changes nothing. */
export function acrossVarianceOf(
  { east, eastNorth, north }: Readonly<ErrorCovariance>,
  alongEast: number,
  alongNorth: number,
): number {
  return Math.max(0, alongNorth ** 2 * east - 2 * alongEast * alongNorth * eastNorth + alongEast ** 2 * north)
}
