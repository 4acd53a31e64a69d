/**
 * The sensors of the account: how far their clocks are off, and which track has which of their targets.
 * A clock's offset is estimated from targets that several sensors report: along its path a target is ahead or behind. One scalar
 * Kalman filter per sensor (state: offset, random walk); a comparison measures the difference of two offsets. Positions that are later
 * than their receipt bound the offset from below, if several in a row are: one alone may have a wrong time.
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
  run: Run
  /** Tracks by source id. */
  readonly sources: Map<string, Target>
}

/** Positions in a row that are later than their receipt by the clock as it is known, or in a row that are not. */
interface Run {
  isAhead: boolean
  positions: number
  /** Receipt of the first. */
  sinceMs: number
  /** The least distance from the receipt. */
  seconds: number
}

export type SensorSnapshot = Omit<Sensor, 'sources'>

const { unknownOffsetSeconds, knownOffsetSeconds, offsetDrift, aheadRun, notAheadRunMs } = clockParameters
const maxSurpriseSigmas = 3
const farAheadMs = 5_000

export function createSensor(deviceUrn: string): Sensor {
  return {
    deviceUrn,
    offsetSeconds: 0,
    offsetVariance: unknownOffsetSeconds ** 2,
    comparedAtMs: 0,
    run: { isAhead: false, positions: 0, sinceMs: 0, seconds: 0 },
    sources: new Map(),
  }
}

/** The time of a position by the clock of the service. A position cannot be later than its receipt. */
export function correctTime(sensor: Sensor, timeMs: number, receivedAtMs: number): number {
  if (isFarAhead(timeMs, receivedAtMs)) return receivedAtMs
  learnFromReceipt(sensor, timeMs, receivedAtMs)
  return Math.min(receivedAtMs, timeMs - sensor.offsetSeconds * 1_000)
}

/** The clock of the sensor is set wrong. That may end at any time, so nothing is learnt from it. */
export function isFarAhead(timeMs: number, receivedAtMs: number): boolean {
  return timeMs - receivedAtMs > farAheadMs
}

/** The offset changes by what all positions of a run show, and is less certain by that. */
function learnFromReceipt(sensor: Sensor, timeMs: number, receivedAtMs: number): void {
  const seconds = (timeMs - receivedAtMs) / 1_000 - sensor.offsetSeconds
  const run = addToRun(sensor, seconds, receivedAtMs)
  const elapsedMs = receivedAtMs - run.sinceMs
  if (run.isAhead) {
    if (run.positions >= aheadRun.positions && elapsedMs >= aheadRun.durationMs) endRun(sensor, run.seconds)
  } else if (elapsedMs >= notAheadRunMs) {
    // A clock that was ahead is right again. When other sensors show the offset, this says nothing.
    const isCompared = receivedAtMs - sensor.comparedAtMs < notAheadRunMs
    endRun(sensor, isCompared ? 0 : -Math.min(run.seconds, Math.max(0, sensor.offsetSeconds)))
  }
}

function addToRun(sensor: Sensor, seconds: number, receivedAtMs: number): Run {
  const { run } = sensor
  const isAhead = seconds > 0
  if (run.positions === 0 || run.isAhead !== isAhead) {
    sensor.run = { isAhead, positions: 1, sinceMs: receivedAtMs, seconds: Math.abs(seconds) }
  } else {
    run.positions++
    run.seconds = Math.min(run.seconds, Math.abs(seconds))
  }
  return sensor.run
}

function endRun(sensor: Sensor, seconds: number): void {
  sensor.offsetSeconds += seconds
  doubtClock(sensor, seconds)
  sensor.run.positions = 0
}

/** The offset is possibly wrong by the seconds. */
export function doubtClock(sensor: Sensor, seconds: number): void {
  sensor.offsetVariance = Math.max(sensor.offsetVariance, seconds * seconds)
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
  const most = 2 * unknownOffsetSeconds ** 2
  if (sensor.comparedAtMs > 0 && sensor.offsetVariance < most) {
    sensor.offsetVariance = Math.min(sensor.offsetVariance + offsetDrift * seconds, most)
  }
  sensor.comparedAtMs = receivedAtMs
}
