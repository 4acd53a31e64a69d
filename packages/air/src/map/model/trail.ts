/** Where a target was: the newest points, in a ring of fixed size, so that hours of pictures take no more memory. */
export interface Trail {
  readonly times: Float64Array
  /** x and y of the projection. */
  readonly xs: Float64Array
  readonly ys: Float64Array
  readonly altitudes: Float32Array
  /** Index of the oldest point. */
  start: number
  length: number
}

const trailCapacity = 120
/** A point is kept when this time has passed since the last one. */
const spacingMs = 5_000

export function createTrail(): Trail {
  return {
    times: new Float64Array(trailCapacity),
    xs: new Float64Array(trailCapacity),
    ys: new Float64Array(trailCapacity),
    altitudes: new Float32Array(trailCapacity),
    start: 0,
    length: 0,
  }
}

export function addPoint(trail: Trail, timeMs: number, x: number, y: number, altitudeMetres: number): void {
  if (trail.length > 0 && timeMs - timeOf(trail, trail.length - 1) < spacingMs) return
  const at = (trail.start + trail.length) % trailCapacity
  trail.times[at] = timeMs
  trail.xs[at] = x
  trail.ys[at] = y
  trail.altitudes[at] = altitudeMetres
  if (trail.length < trailCapacity) trail.length++
  else trail.start = (trail.start + 1) % trailCapacity
}

export interface PastPoint {
  timeMs: number
  x: number
  y: number
  altitudeMetres: number
}

/** Adds points that the trail does not have. */
export function addPast(trail: Trail, past: readonly PastPoint[]): void {
  const own = Array.from({ length: trail.length }, (_, index): PastPoint => {
    const at = indexOf(trail, index)
    return {
      timeMs: trail.times[at] ?? 0,
      x: trail.xs[at] ?? 0,
      y: trail.ys[at] ?? 0,
      altitudeMetres: trail.altitudes[at] ?? Number.NaN,
    }
  })
  trail.length = 0
  for (const { timeMs, x, y, altitudeMetres } of [...past, ...own].sort((a, b) => a.timeMs - b.timeMs)) {
    addPoint(trail, timeMs, x, y, altitudeMetres)
  }
}

/** Where point number `index` is in the arrays; 0 is the oldest. */
export function indexOf(trail: Trail, index: number): number {
  return (trail.start + index) % trailCapacity
}

export function timeOf(trail: Trail, index: number): number {
  return trail.times[indexOf(trail, index)] ?? 0
}

/** The number of the last point that is not after this time; -1 if all are. */
export function findBefore(trail: Trail, timeMs: number): number {
  let [low, high] = [0, trail.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (timeOf(trail, middle) <= timeMs) low = middle + 1
    else high = middle
  }
  return low - 1
}
