/**
 * Where the targets of a scenario really are.
 * In: flights that were made, or recorded positions. Out: the state of each target at any time.
 */
import type { Recorded } from '../recordings.ts'

export interface TrueState {
  latDegrees: number
  lonDegrees: number
  /** Pressure altitude, and height above mean sea level. */
  pressureMetres: number
  geometricMetres: number
  eastMetresPerSecond: number
  northMetresPerSecond: number
  upMetresPerSecond: number
  onGround: boolean
}

export interface TrueTarget {
  identity: string
  isDrone: boolean
  /** Undefined while the target is not there. */
  at(timeMs: number): TrueState | undefined
}

const metresPerDegree = 111_195
const radians = Math.PI / 180

/** Metres to the east and north, within some tens of kilometres. */
export function offsetMetres(
  from: Pick<TrueState, 'latDegrees' | 'lonDegrees'>,
  to: Pick<TrueState, 'latDegrees' | 'lonDegrees'>,
): [east: number, north: number] {
  const cosLat = Math.cos(((from.latDegrees + to.latDegrees) / 2) * radians)
  return [
    (to.lonDegrees - from.lonDegrees) * metresPerDegree * cosLat,
    (to.latDegrees - from.latDegrees) * metresPerDegree,
  ]
}

export function displaced<T extends Pick<TrueState, 'latDegrees' | 'lonDegrees'>>(
  from: T,
  east: number,
  north: number,
): T {
  const latDegrees = from.latDegrees + north / metresPerDegree
  const cosLat = Math.cos(((from.latDegrees + latDegrees) / 2) * radians)
  return { ...from, latDegrees, lonDegrees: from.lonDegrees + east / (metresPerDegree * cosLat) }
}

/** A recorded target that was silent for longer was possibly somewhere else meanwhile. */
const maxGapMs = 15_000

/** Interpolated between the recorded positions. Heights are as recorded, above whichever datum. */
export function fromRecording(recorded: readonly Recorded[]): TrueTarget[] {
  const byIdentity = Map.groupBy(recorded, ({ identity }) => identity)
  return [...byIdentity].map(([identity, positions]) => ({
    identity,
    isDrone: false,
    at: (timeMs) => interpolate(positions, timeMs),
  }))
}

function interpolate(positions: readonly Recorded[], timeMs: number): TrueState | undefined {
  let [low, high] = [0, positions.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((positions[middle]?.position.timeMs ?? 0) < timeMs) low = middle + 1
    else high = middle
  }
  const after = positions[low]?.position
  const before = positions[low - 1]?.position
  if (!after || !before || after.timeMs < timeMs || after.timeMs - before.timeMs > maxGapMs) return undefined
  const seconds = (after.timeMs - before.timeMs) / 1_000
  const share = (timeMs - before.timeMs) / (after.timeMs - before.timeMs)
  const [east, north] = offsetMetres(before, after)
  const [from, to] = [before.altitudes[0]?.heightMetres ?? 0, after.altitudes[0]?.heightMetres ?? 0]
  const height = from + share * (to - from)
  return {
    ...displaced(before, share * east, share * north),
    pressureMetres: height,
    geometricMetres: height,
    eastMetresPerSecond: east / seconds,
    northMetresPerSecond: north / seconds,
    upMetresPerSecond: (to - from) / seconds,
    onGround: before.onGround === true,
  }
}
