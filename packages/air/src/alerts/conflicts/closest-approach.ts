/**
 * The maths of an encounter: two targets that move straight ahead, seen as the motion of one relative to the other.
 * In: the relative position and velocity at second 0. Out: when they are closest, how far apart, and when they are
 * closer than limits. Negative seconds are in the past.
 */
export interface RelativeMotion {
  eastMetres: number
  northMetres: number
  /** Null if the altitudes cannot be compared. */
  upMetres: number | null
  eastMetresPerSecond: number
  northMetresPerSecond: number
  upMetresPerSecond: number
}

export interface Limits {
  horizontalMetres: number
  verticalMetres: number
}

export interface Separation {
  horizontalMetres: number
  verticalMetres: number | null
}

export interface Interval {
  fromSeconds: number
  toSeconds: number
}

/** When the horizontal distance is smallest; 0 if it does not change. */
export function timeOfClosestApproach(motion: RelativeMotion): number {
  const { eastMetres: x, northMetres: y, eastMetresPerSecond: u, northMetresPerSecond: v } = motion
  const speedSquared = u * u + v * v
  return speedSquared < minSpeedSquared ? 0 : -(x * u + y * v) / speedSquared
}

export function separationAt(motion: RelativeMotion, seconds: number): Separation {
  const { upMetres } = motion
  return {
    horizontalMetres: Math.hypot(
      motion.eastMetres + motion.eastMetresPerSecond * seconds,
      motion.northMetres + motion.northMetresPerSecond * seconds,
    ),
    verticalMetres: upMetres === null ? null : Math.abs(upMetres + motion.upMetresPerSecond * seconds),
  }
}

/**
 * The part of the window in which the targets are below both limits at once. Targets whose altitudes cannot be compared
 * count as level.
 */
export function lossOfSeparation(motion: RelativeMotion, limits: Limits, window: Interval): Interval | undefined {
  const horizontal = horizontalLoss(motion, limits.horizontalMetres)
  if (!horizontal) return undefined
  const vertical = verticalLoss(motion, limits.verticalMetres)
  if (!vertical) return undefined
  const fromSeconds = Math.max(horizontal.fromSeconds, vertical.fromSeconds, window.fromSeconds)
  const toSeconds = Math.min(horizontal.toSeconds, vertical.toSeconds, window.toSeconds)
  return fromSeconds < toSeconds ? { fromSeconds, toSeconds } : undefined
}

/** A millimetre per second: slower is standing still. */
const minSpeedSquared = 1e-6
const always: Interval = { fromSeconds: Number.NEGATIVE_INFINITY, toSeconds: Number.POSITIVE_INFINITY }

/** Solves |r + v t| < limit for t. */
function horizontalLoss(motion: RelativeMotion, limitMetres: number): Interval | undefined {
  const { eastMetres: x, northMetres: y, eastMetresPerSecond: u, northMetresPerSecond: v } = motion
  const speedSquared = u * u + v * v
  if (speedSquared < minSpeedSquared) return x * x + y * y < limitMetres * limitMetres ? always : undefined
  const middle = -(x * u + y * v) / speedSquared
  // The miss distance by the cross product: the difference of large squares would lose digits.
  const missMetres = (x * v - y * u) / Math.sqrt(speedSquared)
  const chordSquared = limitMetres * limitMetres - missMetres * missMetres
  if (chordSquared <= 0) return undefined
  const half = Math.sqrt(chordSquared / speedSquared)
  return { fromSeconds: middle - half, toSeconds: middle + half }
}

function verticalLoss({ upMetres, upMetresPerSecond }: RelativeMotion, limitMetres: number): Interval | undefined {
  if (upMetres === null) return always
  if (Math.abs(upMetresPerSecond) < 1e-3) return Math.abs(upMetres) < limitMetres ? always : undefined
  const middle = -upMetres / upMetresPerSecond
  const half = limitMetres / Math.abs(upMetresPerSecond)
  return { fromSeconds: middle - half, toSeconds: middle + half }
}
