/**
 * The sensors of the account: how far their clocks are off, and which track has which of their targets.
 * A clock's offset is estimated from targets that several sensors report: along its path a target is ahead or behind. One scalar
 * Kalman filter per sensor (state: offset, random walk); a comparison measures the difference of two offsets. A position that is
 * a little later than its receipt bounds the offset from below.
 */
import { clockParameters } from './parameters.ts'
import type { Target } from './targets/target.ts'

export interface Sensor {
  readonly deviceUrn: string
  /** How much its clock is ahead. */
  offsetSeconds: number
  /** s². */
  offsetVariance: number
  /** Time of the entry. */
  comparedAtMs: number
  /** Tracks by source id. */
  readonly sources: Map<string, Target>
}

export type SensorSnapshot = Omit<Sensor, 'sources'>

const { unknownOffsetSeconds, knownOffsetSeconds, offsetDrift } = clockParameters
const maxSurpriseSigmas = 3
const farAheadMs = 5_000

export function createSensor(deviceUrn: string): Sensor {
  return {
    deviceUrn,
    offsetSeconds: 0,
    offsetVariance: unknownOffsetSeconds ** 2,
    comparedAtMs: 0,
    sources: new Map(),
  }
}

/** The time of a position by the clock of the service. A position cannot be later than its receipt. */
export function correctTime(sensor: Sensor, timeMs: number, receivedAtMs: number): number {
  if (isFarAhead(timeMs, receivedAtMs)) return receivedAtMs
  const aheadSeconds = (timeMs - receivedAtMs) / 1_000
  if (aheadSeconds > sensor.offsetSeconds) sensor.offsetSeconds = aheadSeconds
  return timeMs - sensor.offsetSeconds * 1_000
}

/** The clock of the sensor is set wrong. That may end at any time, so nothing is learnt from it. */
export function isFarAhead(timeMs: number, receivedAtMs: number): boolean {
  return timeMs - receivedAtMs > farAheadMs
}

/** s²: how uncertain the time between positions of the two sensors is. */
export function clockVarianceBetween(a: Sensor, b: Sensor): number {
  return a === b ? 0 : a.offsetVariance + b.offsetVariance
}

/**
 * Learns from a position of `sensor` that is `lateSeconds` behind the prediction of a track whose clock is that of `reference`.
 * Only differences of clocks can be measured. So the first reference becomes the clock of the account, and of two sensors the less
 * known one is corrected. The reference is not: its tracks were made with its old offset, and would show the same difference again.
 */
export function compareClocks(
  sensor: Sensor,
  reference: Sensor,
  lateSeconds: number,
  variance: number,
  receivedAtMs: number,
): void {
  const isFirst = sensor.comparedAtMs === 0 && reference.comparedAtMs === 0
  drift(sensor, receivedAtMs)
  drift(reference, receivedAtMs)
  if (isFirst) {
    sensor.offsetVariance += reference.offsetVariance
    reference.offsetVariance = knownOffsetSeconds ** 2
  }
  if (reference.offsetVariance > sensor.offsetVariance) return
  const total = sensor.offsetVariance + reference.offsetVariance + variance
  const limit = maxSurpriseSigmas * Math.sqrt(total)
  const gain = sensor.offsetVariance / total
  sensor.offsetSeconds += gain * Math.min(Math.max(lateSeconds, -limit), limit)
  sensor.offsetVariance = Math.max(sensor.offsetVariance * (1 - gain), knownOffsetSeconds ** 2)
}

function drift(sensor: Sensor, receivedAtMs: number): void {
  const seconds = Math.max(0, (receivedAtMs - sensor.comparedAtMs) / 1_000)
  if (sensor.comparedAtMs > 0) {
    sensor.offsetVariance = Math.min(sensor.offsetVariance + offsetDrift * seconds, 2 * unknownOffsetSeconds ** 2)
  }
  sensor.comparedAtMs = receivedAtMs
}
