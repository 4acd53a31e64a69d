/**
 * The sensors of the account: how far their clocks and their places are off, how they rank, and which track has which
 * of their targets. Time and place are estimated from targets that several sensors report: one Kalman filter per sensor
 * (state: offset of the clock, and of the place to the east and to the north; random walk). A comparison measures the
 * difference of two sensors only, so one of them is the reference: the one that outranks the other, else the better
 * known one. Positions that are later than their receipt bound the offset of a clock from below, if several in a row
 * are: one alone may have a wrong time.
 */
import { type ErrorCovariance, noErrors, sumErrors, toErrorCovariance } from './filter/error-covariance.ts'
import { biasParameters, clockParameters } from './parameters.ts'
import type { Target } from './targets/target.ts'

export interface Sensor {
  readonly deviceUrn: string
  /** How much its clock is ahead. */
  offsetSeconds: number
  /** How far its positions are off. */
  eastMetres: number
  northMetres: number
  covariance: ErrorCovariance
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

const { unknownOffsetSeconds, knownOffsetSeconds, offsetDrift, aheadRun, notAheadRunMs } = clockParameters
const { unknownMetres, knownMetres, metresDrift } = biasParameters
const maxSurpriseSigmas = 3
const farAheadMs = 5_000

export function createSensor(deviceUrn: string): Sensor {
  return {
    deviceUrn,
    offsetSeconds: 0,
    eastMetres: 0,
    northMetres: 0,
    covariance: toErrorCovariance(unknownOffsetSeconds ** 2, unknownMetres ** 2),
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
  covariance.time = Math.max(covariance.time, seconds * seconds)
}

/** The place is possibly wrong by the metres. */
export function doubtPlace({ covariance }: Sensor, metres: number): void {
  covariance.east = Math.max(covariance.east, metres * metres)
  covariance.north = Math.max(covariance.north, metres * metres)
}

/** What a position of one sensor has of these errors that one of the other has not. */
export function errorsBetween(a: Sensor, b: Sensor): Readonly<ErrorCovariance> {
  return a === b ? noErrors : sumErrors(a.covariance, b.covariance)
}

/** After each position: does the sensor say who targets are, and how accurate is it? */
export function rank(sensor: Sensor, isIdentified: boolean, sigmaMetres: number): void {
  const gain = sensor.sigmaMetres === 0 ? 1 : rankGain
  sensor.identifiedShare += gain * ((isIdentified ? 1 : 0) - sensor.identifiedShare)
  sensor.sigmaMetres += gain * (sigmaMetres - sensor.sigmaMetres)
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

/**
 * The time and place of the first one count: it says who targets are and the other does not, or it is clearly more
 * accurate.
 */
export function outranks(a: Sensor, b: Sensor): boolean {
  if (isIdentifying(a) !== isIdentifying(b)) return isIdentifying(a)
  return a.sigmaMetres < moreAccurate * b.sigmaMetres
}

/** It says who its targets are. */
export function isIdentifying({ identifiedShare }: Sensor): boolean {
  return identifiedShare >= identifyingShare
}

const rankGain = 0.02
const identifyingShare = 0.3
const moreAccurate = 0.6

/** What is known for sure of the errors of a sensor. */
export interface SensorErrors {
  clockOffsetSeconds?: number
  placeOffset?: { eastMetres: number; northMetres: number }
}

export function toErrors(sensor: Sensor): SensorErrors {
  const { offsetSeconds, eastMetres, northMetres } = sensor
  const isClockKnown = isClockSure(sensor) && Math.abs(offsetSeconds) > shownSigmas * sureSeconds
  const isPlaceKnown = isPlaceSure(sensor) && Math.hypot(eastMetres, northMetres) > shownSigmas * sureMetres
  return {
    ...(isClockKnown && { clockOffsetSeconds: offsetSeconds }),
    ...(isPlaceKnown && { placeOffset: { eastMetres, northMetres } }),
  }
}

export function isClockSure({ covariance }: Sensor): boolean {
  return covariance.time < sureSeconds ** 2
}

export function isPlaceSure({ covariance }: Sensor): boolean {
  return covariance.east + covariance.north < 2 * sureMetres ** 2
}

const sureSeconds = 0.25
const sureMetres = 15
const shownSigmas = 2

/** Where a position of the sensor is, relative to the prediction of a track. */
export interface Comparison {
  /** The direction of the track. */
  alongEast: number
  alongNorth: number
  speedMetresPerSecond: number
  alongMetres: number
  acrossMetres: number
  /** Of the difference, including what the sensors' own errors add. */
  alongVariance: number
  acrossVariance: number
}

/**
 * Learns from a position of `sensor` how it differs from `reference`, whose clock and place the track has. The
 * reference is not corrected: its tracks were made with its old errors, and would show the same difference again.
 */
export function compareSensors(sensor: Sensor, reference: Sensor, comparison: Comparison, receivedAtMs: number): void {
  const isFirst = sensor.comparedAtMs === 0 && reference.comparedAtMs === 0
  drift(sensor, receivedAtMs)
  drift(reference, receivedAtMs)
  if (isFirst || (outranks(reference, sensor) && reference.covariance.time > knownOffsetSeconds ** 2)) {
    becomeReference(reference, sensor)
  }
  if (outranks(sensor, reference) || reference.covariance.time > sensor.covariance.time) return
  const { alongEast, alongNorth, speedMetresPerSecond, alongMetres, acrossMetres } = comparison
  const along = [-speedMetresPerSecond, alongEast, alongNorth] as const
  correct(sensor, along, alongMetres, comparison.alongVariance)
  correct(sensor, [0, -alongNorth, alongEast], acrossMetres, comparison.acrossVariance)
  const { covariance } = sensor
  covariance.time = Math.max(covariance.time, knownOffsetSeconds ** 2)
  covariance.east = Math.max(covariance.east, knownMetres ** 2)
  covariance.north = Math.max(covariance.north, knownMetres ** 2)
}

/**
 * Its own errors become those of the account: what was uncertain of it is uncertain of the other. With each comparison
 * that is at least what a known sensor has: comparisons with the track of one target have errors in common, so many of
 * them tell less than as many independent ones.
 */
function becomeReference(reference: Sensor, sensor: Sensor): void {
  sensor.covariance = sumErrors(sensor.covariance, reference.covariance)
  reference.covariance = toErrorCovariance(knownOffsetSeconds ** 2, knownMetres ** 2)
}

/**
 * A scalar measurement of the three errors, of which the coefficients are given. `total` is the variance of the
 * innovation.
 */
function correct(
  sensor: Sensor,
  [t, e, n]: readonly [number, number, number],
  innovation: number,
  total: number,
): void {
  const { covariance: p } = sensor
  const time = p.time * t + p.timeEast * e + p.timeNorth * n
  const east = p.timeEast * t + p.east * e + p.eastNorth * n
  const north = p.timeNorth * t + p.eastNorth * e + p.north * n
  const own = t * time + e * east + n * north
  // The gate counts the errors of the sensor as independent.
  const variance = Math.max(total, own * leastNoiseFactor)
  const limit = maxSurpriseSigmas * Math.sqrt(variance)
  const surprise = Math.min(Math.max(innovation, -limit), limit) / variance
  sensor.offsetSeconds += time * surprise
  sensor.eastMetres += east * surprise
  sensor.northMetres += north * surprise
  p.time -= (time * time) / variance
  p.timeEast -= (time * east) / variance
  p.timeNorth -= (time * north) / variance
  p.east -= (east * east) / variance
  p.eastNorth -= (east * north) / variance
  p.north -= (north * north) / variance
}

const leastNoiseFactor = 1.02

function drift(sensor: Sensor, receivedAtMs: number): void {
  const seconds = Math.max(0, (receivedAtMs - sensor.comparedAtMs) / 1_000)
  const { covariance, comparedAtMs } = sensor
  if (comparedAtMs > 0) {
    covariance.time = grow(covariance.time, offsetDrift * seconds, 2 * unknownOffsetSeconds ** 2)
    covariance.east = grow(covariance.east, metresDrift * seconds, 2 * unknownMetres ** 2)
    covariance.north = grow(covariance.north, metresDrift * seconds, 2 * unknownMetres ** 2)
  }
  sensor.comparedAtMs = receivedAtMs
}

function grow(variance: number, by: number, most: number): number {
  return variance < most ? Math.min(variance + by, most) : variance
}
