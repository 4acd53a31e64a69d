/**
 * The vertical Kalman filter of a track: height above one datum, and vertical rate.
 * In: the altitudes and the vertical rate of a position. Out: the estimate, and the innovation of the best comparable
 * altitude. The datum is that of the first given altitude. Altitudes of other datums are compared with the latest of
 * that datum, carried on with the vertical rate.
 */
import type { StandardAltitude, StandardPosition } from '../../standard/standard-position.ts'
import { accuracyParameters, filterParameters } from '../parameters.ts'
import { type AxisCovariance, predictAxis, predictedVariance, updateAxis, updateVelocity } from './axis.ts'

export interface Climb {
  datum: StandardAltitude['datum']
  timeMs: number
  /** Of the latest altitude; the filter also goes on with vertical rates. */
  altitudeMs: number
  heightMetres: number
  upMetresPerSecond: number
  axis: AxisCovariance
}

/** A reported position, the time of the report and those of the altitudes. */
interface Report {
  reception: { position: StandardPosition }
  reportMs: number
  altitudeTimesMs: readonly number[]
}

export interface VerticalInnovation {
  metres: number
  variance: number
}

const { verticalNoise, unknownVerticalRateMetresPerSecond } = filterParameters
/** After this time without the datum, the filter changes to another one. */
const maxSilenceMs = 30_000

/** Undefined if the position has no altitude. */
export function startClimb({ reception, altitudeTimesMs, reportMs }: Report): Climb | undefined {
  const { altitudes } = reception.position
  const given = altitudes.findIndex(({ provenance }) => provenance === 'given')
  const altitude = altitudes[given] ?? altitudes[0]
  if (!altitude) return undefined
  const timeMs = altitudeTimesMs[Math.max(given, 0)] ?? reportMs
  const up = verticalRateOf(reception.position, reportMs, timeMs)
  return {
    datum: altitude.datum,
    timeMs,
    altitudeMs: timeMs,
    heightMetres: altitude.heightMetres,
    upMetresPerSecond: up?.metresPerSecond ?? 0,
    axis: {
      position: heightVariance(altitude),
      mixed: 0,
      velocity: up?.variance ?? unknownVerticalRateMetresPerSecond ** 2,
    },
  }
}

/**
 * `altitudes` are the latest of the track, with their times; `measured` are compared with them. Undefined if nothing
 * can be compared.
 */
export function verticalInnovationOf(
  climb: Climb | undefined,
  altitudes: readonly StandardAltitude[],
  timesMs: readonly number[],
  measured: readonly StandardAltitude[],
  measuredTimesMs: readonly number[],
): VerticalInnovation | undefined {
  if (!climb) return undefined
  let best: VerticalInnovation | undefined
  for (const [index, altitude] of measured.entries()) {
    const timeMs = measuredTimesMs[index] ?? climb.timeMs
    const found =
      altitude.datum === climb.datum
        ? innovationOfFilter(climb, altitude, timeMs)
        : innovationOfLatest(climb, altitudes, timesMs, altitude, timeMs)
    if (found && (!best || found.variance < best.variance)) best = found
  }
  return best
}

function innovationOfFilter(climb: Climb, altitude: StandardAltitude, timeMs: number): VerticalInnovation {
  const seconds = (timeMs - climb.timeMs) / 1_000
  return {
    metres: altitude.heightMetres - climb.heightMetres - climb.upMetresPerSecond * seconds,
    variance: predictedVariance(climb.axis, seconds, verticalNoise) + heightVariance(altitude),
  }
}

function innovationOfLatest(
  climb: Climb,
  altitudes: readonly StandardAltitude[],
  timesMs: readonly number[],
  altitude: StandardAltitude,
  timeMs: number,
): VerticalInnovation | undefined {
  const index = altitudes.findIndex(({ datum }) => datum === altitude.datum)
  const latest = altitudes[index]
  const latestMs = timesMs[index]
  if (!latest || latestMs === undefined) return undefined
  const seconds = (timeMs - latestMs) / 1_000
  return {
    metres: altitude.heightMetres - latest.heightMetres - climb.upMetresPerSecond * seconds,
    variance: heightVariance(latest) + heightVariance(altitude) + climb.axis.velocity * seconds * seconds,
  }
}

/** Returns the estimate after the position: the same object, or a new one with another datum. */
export function updateClimb(climb: Climb | undefined, report: Report): Climb | undefined {
  if (!climb) return startClimb(report)
  const { reception, altitudeTimesMs, reportMs } = report
  const { altitudes } = reception.position
  const index = altitudes.findIndex(({ datum }) => datum === climb.datum)
  const altitude = altitudes[index]
  const timeMs = altitudeTimesMs[index] ?? reportMs
  // A late altitude changes little, and the latest one is what outputs show.
  if (timeMs < climb.timeMs) return climb
  if (!altitude && timeMs - climb.altitudeMs > maxSilenceMs) return startClimb(report) ?? climb
  const up = verticalRateOf(reception.position, reportMs, timeMs)
  if (!altitude && !up) return climb
  const seconds = (timeMs - climb.timeMs) / 1_000
  climb.heightMetres += climb.upMetresPerSecond * seconds
  predictAxis(climb.axis, seconds, verticalNoise)
  climb.timeMs = timeMs
  if (altitude) {
    climb.altitudeMs = timeMs
    const innovation = altitude.heightMetres - climb.heightMetres
    let total = climb.axis.position + heightVariance(altitude)
    const excess = (innovation * innovation) / total / maxSquaredSurprise
    if (excess > 1) {
      climb.axis.position *= excess
      climb.axis.mixed *= excess
      climb.axis.velocity *= excess
      total = climb.axis.position + heightVariance(altitude)
    }
    applyChange(climb, updateAxis(climb.axis, 0, innovation, total))
  }
  if (up) applyChange(climb, updateVelocity(climb.axis, up.metresPerSecond - climb.upMetresPerSecond, up.variance))
  return climb
}

/** A larger squared innovation widens the uncertainty: the target has changed its vertical rate. */
const maxSquaredSurprise = 9

function applyChange(climb: Climb, { position, velocity }: { position: number; velocity: number }): void {
  climb.heightMetres += position
  climb.upMetresPerSecond += velocity
}

function heightVariance({ accuracyMetres, provenance }: StandardAltitude): number {
  const { sigmasOfAccuracy, heightFloorMetres, heightDefaultMetres, derivedHeightFloorMetres } = accuracyParameters
  const stated = accuracyMetres === undefined ? heightDefaultMetres : accuracyMetres / sigmasOfAccuracy
  const floor = provenance === 'derived' && accuracyMetres === undefined ? derivedHeightFloorMetres : heightFloorMetres
  return Math.min(Math.max(stated, floor), maxHeightSigmaMetres) ** 2
}

const maxHeightSigmaMetres = 10_000
const maxVerticalRateMetresPerSecond = 300

/** As of a time: between that and its own, the target may have changed its rate. */
function verticalRateOf(
  { groundVelocity }: StandardPosition,
  reportMs: number,
  timeMs: number,
): { metresPerSecond: number; variance: number } | undefined {
  const metresPerSecond = groundVelocity?.upMetresPerSecond
  if (metresPerSecond === undefined || Math.abs(metresPerSecond) > maxVerticalRateMetresPerSecond) return undefined
  const { sigmasOfAccuracy, verticalRateDefaultMetresPerSecond } = accuracyParameters
  const stated = groundVelocity?.verticalAccuracyMetresPerSecond
  const sigma = stated === undefined ? verticalRateDefaultMetresPerSecond : stated / sigmasOfAccuracy
  const apartSeconds = Math.abs(reportMs - (groundVelocity?.ageMs ?? 0) - timeMs) / 1_000
  const variance = Math.max(sigma, minVerticalRateSigma) ** 2 + verticalNoise * apartSeconds
  return { metresPerSecond, variance: Math.min(variance, maxVerticalRateMetresPerSecond ** 2) }
}

const minVerticalRateSigma = 0.5
