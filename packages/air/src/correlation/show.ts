/** Brings the track that others see up to date with the filters and with a report. */
import type { StandardAltitude, StandardTarget } from '../standard/standard-position.ts'
import { sigmasOfHorizontalBound, sigmasOfVerticalBound } from '../track/accuracy.ts'
import type { Observation } from './association/observation.ts'
import { classify } from './classify.ts'
import { acrossVarianceOf, alongVarianceOf, type ErrorCovariance } from './filter/error-covariance.ts'
import type { Motion } from './filter/estimate.ts'
import { toLatDegrees, toLonDegrees } from './filter/local-frame.ts'
import { leastSpeed } from './filter/turning.ts'
import { showGround } from './on-ground.ts'
import { filterParameters } from './parameters.ts'
import type { Picture } from './picture.ts'
import { ownErrorsOf } from './sensors/own-errors.ts'
import type { Source, Target } from './targets/target.ts'

const { knownVelocityMetresPerSecond, knownVerticalRateMetresPerSecond } = filterParameters
/** Shorter intervals are those between sensors, not between positions of one. */
const minIntervalMs = 500
const intervalGain = 0.2
/** A derived altitude replaces a given one of the same datum only after this time. */
const givenAltitudeMs = 10_000
/** Later reports without an altitude of this datum have left it behind. */
const altitudeTtlMs = 30_000

export function showEstimate(picture: Picture, target: Target): void {
  const { track, motion, climb } = target
  track.timeMs = motion.timeMs
  track.latDegrees = toLatDegrees(motion)
  track.lonDegrees = toLonDegrees(motion)
  const { eastMetresPerSecond: east, northMetresPerSecond: north } = motion
  track.accuracyMetres = accuracyOf(motion, ownErrorsOf(target, picture))
  const accuracyMetresPerSecond = Math.sqrt((motion.along.velocity + motion.across.velocity) / 2)
  if (accuracyMetresPerSecond <= knownVelocityMetresPerSecond) {
    track.velocity = { eastMetresPerSecond: east, northMetresPerSecond: north, accuracyMetresPerSecond }
  } else delete track.velocity
  if (climb && climb.axis.velocity <= knownVerticalRateMetresPerSecond ** 2) {
    track.upMetresPerSecond = climb.upMetresPerSecond
  } else delete track.upMetresPerSecond
  track.altitudes = target.altitudes.map((altitude, index) =>
    carryOn(altitude, (track.timeMs - (target.altitudeTimesMs[index] ?? track.timeMs)) / 1_000, target),
  )
}

/**
 * So that 95 % of the errors are in a circle of 2.448 of it: if the error is a line, as that of a clock is, these are
 * 1.96 standard deviations of the line.
 */
function accuracyOf(
  { along, across, eastMetresPerSecond: east, northMetresPerSecond: north }: Motion,
  errors: Readonly<ErrorCovariance>,
): number {
  const speed = Math.sqrt(east * east + north * north)
  const [alongEast, alongNorth] = speed > leastSpeed ? [east / speed, north / speed] : [1, 0]
  const alongVariance = along.position + alongVarianceOf(errors, alongEast, alongNorth, speed)
  const acrossVariance = across.position + acrossVarianceOf(errors, alongEast, alongNorth)
  const [larger, smaller] =
    alongVariance > acrossVariance ? [alongVariance, acrossVariance] : [acrossVariance, alongVariance]
  return Math.sqrt(smaller + shareOfLine * (larger - smaller))
}

const shareOfLine = (sigmasOfVerticalBound / sigmasOfHorizontalBound) ** 2

/**
 * The altitude at the time of the estimate: that of the vertical filter for its datum, otherwise moved by the vertical
 * rate. Both are less certain than the reported one by the error of the rate.
 */
function carryOn(altitude: StandardAltitude, seconds: number, { track, climb }: Target): StandardAltitude {
  if (!climb || track.upMetresPerSecond === undefined || seconds === 0) return altitude
  const sinceFilter = (track.timeMs - climb.timeMs) / 1_000
  const heightMetres =
    altitude.datum === climb.datum
      ? climb.heightMetres + climb.upMetresPerSecond * sinceFilter
      : altitude.heightMetres + climb.upMetresPerSecond * seconds
  const { accuracyMetres } = altitude
  if (accuracyMetres === undefined) return { ...altitude, heightMetres }
  const drift = sigmasOfVerticalBound * Math.sqrt(climb.axis.velocity) * seconds
  return { ...altitude, heightMetres, accuracyMetres: Math.hypot(accuracyMetres, drift) }
}

/** Before `showEstimate`, because it compares with the time of the previous estimate. */
export function showReport(target: Target, source: Source, observation: Observation): void {
  const { measured, reception, altitudeTimesMs } = observation
  const { track } = target
  const { altitudes, onGround } = reception.position
  const elapsedMs = measured.timeMs - track.timeMs
  const differs = onGround !== undefined && track.onGround !== undefined && onGround !== track.onGround
  if (elapsedMs >= 0) forgetAltitudes(target, differs ? measured.timeMs : measured.timeMs - altitudeTtlMs)
  // A late report of a target on the ground says nothing of the altitude in flight.
  if (elapsedMs >= 0 || !differs) {
    for (const [index, altitude] of altitudes.entries()) {
      showAltitude(target, altitude, altitudeTimesMs[index] ?? measured.timeMs)
    }
  }
  classify(target, source, reception.position.target)
  if (elapsedMs >= 0) showEmergency(target, source, reception.position.target)
  if (elapsedMs >= 0) showGround(target, source, observation)
  if (elapsedMs >= minIntervalMs) {
    target.intervalMs += (target.intervalMs === 0 ? 1 : intervalGain) * (elapsedMs - target.intervalMs)
  }
}

/** A source that said it and no longer does has taken it back. */
export function showEmergency({ track }: Target, source: Source, { squawk, emergency }: StandardTarget): void {
  if (squawk !== undefined) track.squawk = squawk
  if (emergency !== undefined) track.emergency = emergency
  else if (squawk !== undefined || source.saysEmergency) delete track.emergency
  if (emergency === undefined) delete source.saysEmergency
  else source.saysEmergency = true
}

/** Those before a time. */
function forgetAltitudes(target: Target, beforeMs: number): void {
  const { altitudes, altitudeTimesMs } = target
  const isKept = (index: number) => (altitudeTimesMs[index] ?? 0) >= beforeMs
  target.altitudes = altitudes.filter((_, index) => isKept(index))
  target.altitudeTimesMs = altitudeTimesMs.filter((_, index) => isKept(index))
}

function showAltitude({ altitudes, altitudeTimesMs }: Target, altitude: StandardAltitude, timeMs: number): void {
  const index = altitudes.findIndex(({ datum }) => datum === altitude.datum)
  const shown = altitudes[index]
  const shownMs = altitudeTimesMs[index]
  if (!shown || shownMs === undefined) {
    altitudes.push(altitude)
    altitudeTimesMs.push(timeMs)
    return
  }
  if (timeMs < shownMs) return
  if (altitude.provenance === 'derived' && shown.provenance === 'given' && timeMs - shownMs < givenAltitudeMs) return
  altitudes[index] = altitude
  altitudeTimesMs[index] = timeMs
}
