/**
 * The reported positions of a track, oldest first. When it is full, every second point of the older half goes.
 * Numbers are in one array, because an account may have 300,000 points.
 */
import type { AltitudeDatum } from '@posrep/spec'
import type { StandardAltitude } from '../../standard/standard-position.ts'
import type { TrackPoint } from '../../track/track.ts'

export interface History {
  /**
   * Per point: ms since the epoch, latitude and longitude in 1e-6 degrees, height in decimetres, number of the datum or
   * -1, and of the device in `deviceUrns`.
   */
  numbers: number[]
  /** Each once. */
  deviceUrns: string[]
}

const width = 6
const deviceAt = 5
const microdegrees = 1_000_000
const minIntervalMs = 1_000
const datums: readonly AltitudeDatum[] = ['msl', 'wgs84', 'bar', 'agl']

export function createHistory(): History {
  return { numbers: [], deviceUrns: [] }
}

export function addPoint(
  history: History,
  timeMs: number,
  deviceUrn: string,
  latDegrees: number,
  lonDegrees: number,
  altitudes: readonly StandardAltitude[],
  limit: number,
): void {
  const { numbers } = history
  const wholeMs = Math.round(timeMs)
  let index = lengthOf(history)
  while (index > 0 && (numbers[(index - 1) * width] ?? 0) > wholeMs) index--
  const before = numbers[(index - 1) * width]
  const after = numbers[index * width]
  if (before !== undefined && wholeMs - before < minIntervalMs) return
  if (after !== undefined && after - wholeMs < minIntervalMs) return
  const altitude = toShown(altitudes)
  const lat = Math.round(latDegrees * microdegrees) + 0
  const lon = Math.round(lonDegrees * microdegrees) + 0
  const height = altitude ? Math.round(altitude.heightMetres * 10) + 0 : 0
  const datum = altitude ? datums.indexOf(altitude.datum) : -1
  numbers.splice(index * width, 0, wholeMs, lat, lon, height, datum, numberOf(history, deviceUrn))
  limitHistory(history, limit)
}

/** The number of points. */
function lengthOf({ numbers }: History): number {
  return numbers.length / width
}

export function limitHistory(history: History, limit: number): void {
  while (lengthOf(history) > limit) thinOut(history)
}

function numberOf({ deviceUrns }: History, deviceUrn: string): number {
  const known = deviceUrns.indexOf(deviceUrn)
  return known < 0 ? deviceUrns.push(deviceUrn) - 1 : known
}

/** The points of both, at most `limit`. */
export function mergeHistories(a: History, b: History, limit: number): History {
  const merged = createHistory()
  const order: [History, number][] = []
  for (const history of [a, b]) {
    for (let index = 0; index < lengthOf(history); index++) order.push([history, index])
  }
  order.sort(([h, i], [k, j]) => (h.numbers[i * width] ?? 0) - (k.numbers[j * width] ?? 0))
  for (const [{ numbers, deviceUrns }, index] of order) {
    const point = numbers.slice(index * width, index * width + deviceAt)
    merged.numbers.push(...point, numberOf(merged, deviceUrns[numbers[index * width + deviceAt] ?? 0] ?? ''))
  }
  limitHistory(merged, limit)
  return merged
}

export function toPoints(history: History): TrackPoint[] {
  return Array.from({ length: lengthOf(history) }, (_, index) => {
    const point = history.numbers.slice(index * width, (index + 1) * width)
    const [timeMs = 0, lat = 0, lon = 0, height = 0, datumNumber = -1, device = 0] = point
    const datum = datums[datumNumber]
    return {
      timeMs,
      deviceUrn: history.deviceUrns[device] ?? '',
      latDegrees: lat / microdegrees,
      lonDegrees: lon / microdegrees,
      ...(datum && { altitude: { heightMetres: height / 10, datum } }),
    }
  })
}

/** Whether one of the points since a time passes. */
export function hasPoint(
  { numbers }: History,
  sinceMs: number,
  passes: (latDegrees: number, lonDegrees: number) => boolean,
): boolean {
  for (let at = numbers.length - width; at >= 0 && (numbers[at] ?? 0) >= sinceMs; at -= width) {
    if (passes((numbers[at + 1] ?? 0) / microdegrees, (numbers[at + 2] ?? 0) / microdegrees)) return true
  }
  return false
}

/**
 * The points since a time, at least `spacingMs` apart, oldest first: longitude, latitude, ms since the epoch, height if
 * known.
 */
export function toPath({ numbers }: History, sinceMs: number, spacingMs: number): number[][] {
  const path: number[][] = []
  let nextMs = Number.POSITIVE_INFINITY
  for (let at = numbers.length - width; at >= 0; at -= width) {
    const [timeMs = 0, lat = 0, lon = 0, height = 0, datumNumber = -1] = numbers.slice(at, at + width)
    if (timeMs < sinceMs) break
    if (timeMs > nextMs) continue
    nextMs = timeMs - spacingMs
    path.push([lon / microdegrees, lat / microdegrees, timeMs, ...(datumNumber < 0 ? [] : [height / 10])])
  }
  return path.reverse()
}

function thinOut(history: History): void {
  const { deviceUrns } = history
  const half = lengthOf(history) >> 1
  const isKept = (index: number) => index >= half || index % 2 === 0
  history.numbers = history.numbers.filter((_, index) => isKept(Math.floor(index / width)))
  history.deviceUrns = []
  for (let at = deviceAt; at < history.numbers.length; at += width) {
    history.numbers[at] = numberOf(history, deviceUrns[history.numbers[at] ?? 0] ?? '')
  }
}

/** The altitude that the map shows: above mean sea level if that is known. */
function toShown(altitudes: readonly StandardAltitude[]): StandardAltitude | undefined {
  for (const datum of datums) {
    const found = altitudes.find((altitude) => altitude.datum === datum)
    if (found) return found
  }
  return undefined
}
