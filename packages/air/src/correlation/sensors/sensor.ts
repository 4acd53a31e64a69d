/**
 * What is known of a sensor: how far its clock, its place, its azimuth and its range are off, how it ranks, and which
 * track has which of its targets. Positions that are later than their receipt bound the offset of a clock from below,
 * if several in a row are: one alone may have a wrong time.
 */
import type { Vector } from '../filter/local-frame.ts'
import { clockParameters } from '../parameters.ts'
import type { Target } from '../targets/target.ts'
import { type SensorCovariance, toCovariance, unknownVariances } from './covariance.ts'

export interface Sensor {
  readonly deviceUrn: string
  /** How much its clock is ahead. */
  offsetSeconds: number
  /** How far its positions are off. */
  eastMetres: number
  northMetres: number
  /** How far its bearings are too far clockwise, and its ranges too long, from where it stands. */
  azimuthDegrees: number
  rangeMetres: number
  covariance: SensorCovariance
  site?: Site
  /** It was compared with a sensor that outranks it. */
  wasOutranked: boolean
  /** Time of the entry. */
  comparedAtMs: number
  /** When a target of certain identity was last where the reference has it. */
  agreedAtMs: number
  run: Run
  search: ClockSearch
  /** Of its positions, recent ones count more: the share with a strong identifier, and the standard deviation. */
  identifiedShare: number
  sigmaMetres: number
  /** From one position of a target to the next, without those that are missed. 0 until it is known. */
  scanMs: number
  /** Tracks by source id. */
  readonly sources: Map<string, Target>
}

/** Where a sensor stands, as it says. */
export interface Site extends Vector {
  latDegrees: number
  lonDegrees: number
  /** Receipt of the first position from here. */
  sinceMs: number
  /** False for some time after it moved, or cannot stand there. */
  isFixed: boolean
}

/**
 * An offset at which most targets of an anonymous sensor are those of others: how much is missing, and for how many
 * ticks.
 */
export interface ClockSearch {
  seconds: number
  ticks: number
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

const { aheadRun, notAheadRunMs } = clockParameters
const farAheadMs = 5_000

export function createSensor(deviceUrn: string): Sensor {
  return {
    deviceUrn,
    offsetSeconds: 0,
    eastMetres: 0,
    northMetres: 0,
    azimuthDegrees: 0,
    rangeMetres: 0,
    covariance: toCovariance(unknownVariances),
    wasOutranked: false,
    comparedAtMs: 0,
    agreedAtMs: 0,
    search: { seconds: 0, ticks: 0 },
    identifiedShare: 0,
    sigmaMetres: 0,
    scanMs: 0,
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
export function doubtClock({ covariance }: Sensor, seconds: number): void {
  covariance[0][0] = Math.max(covariance[0][0], seconds * seconds)
}

/**
 * Between two positions of one live track: two plots of two targets side by side may have begun a track, and the time
 * between them says nothing. Missed ones make it longer, a target that was away for long does not.
 */
export function learnScan(sensor: Sensor, elapsedMs: number): void {
  if (elapsedMs < leastScanMs) return
  if (sensor.scanMs === 0) sensor.scanMs = elapsedMs
  else sensor.scanMs += scanGain * (Math.min(elapsedMs, mostMissedScans * sensor.scanMs) - sensor.scanMs)
}

/** Positions at shorter intervals are those of one look. */
const leastScanMs = 200
const scanGain = 0.05
const mostMissedScans = 3
