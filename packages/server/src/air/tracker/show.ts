/** Brings the track that others see up to date with the filters and with a report. */
import type { StandardAltitude } from '../../standard/standard-position.ts'
import { sigmasOfVerticalBound } from '../accuracy.ts'
import type { Observation } from './association/observation.ts'
import { toLatDegrees, toLonDegrees } from './filter/local-frame.ts'
import { filterParameters } from './parameters.ts'
import type { Target } from './targets/target.ts'

const { knownVelocityMetresPerSecond, knownVerticalRateMetresPerSecond } = filterParameters
/** Shorter intervals are those between sensors, not between positions of one. */
const minIntervalMs = 500
const intervalGain = 0.2
/** A derived altitude replaces a given one of the same datum only after this time. */
const givenAltitudeMs = 10_000
/** Later reports without an altitude of this datum have left it behind. */
const altitudeTtlMs = 30_000

export function showEstimate(target: Target): void {
  const { track, motion, climb } = target
  track.timeMs = motion.timeMs
  track.latDegrees = toLatDegrees(motion)
  track.lonDegrees = toLonDegrees(motion)
  track.accuracyMetres = Math.sqrt((motion.along.position + motion.across.position) / 2)
  const accuracyMetresPerSecond = Math.sqrt((motion.along.velocity + motion.across.velocity) / 2)
  if (accuracyMetresPerSecond <= knownVelocityMetresPerSecond) {
    const { eastMetresPerSecond, northMetresPerSecond } = motion
    track.velocity = { eastMetresPerSecond, northMetresPerSecond, accuracyMetresPerSecond }
  } else delete track.velocity
  if (climb && climb.axis.velocity <= knownVerticalRateMetresPerSecond ** 2) {
    track.upMetresPerSecond = climb.upMetresPerSecond
  } else delete track.upMetresPerSecond
  track.altitudes = target.altitudes.map((altitude, index) =>
    carryOn(altitude, (track.timeMs - (target.altitudeTimesMs[index] ?? track.timeMs)) / 1_000, target),
  )
}

/**
 * The altitude at the time of the estimate: that of the vertical filter for its datum, otherwise moved by the vertical rate. Both
 * are less certain than the reported one by the error of the rate.
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
export function showReport(target: Target, { measured, reception, altitudeTimesMs }: Observation): void {
  const { track } = target
  const { altitudes, onGround, target: reported } = reception.position
  const elapsedMs = measured.timeMs - track.timeMs
  const differs = onGround !== undefined && track.onGround !== undefined && onGround !== track.onGround
  if (elapsedMs >= 0) forgetAltitudes(target, differs ? measured.timeMs : measured.timeMs - altitudeTtlMs)
  // A late report of a target on the ground says nothing of the altitude in flight.
  if (elapsedMs >= 0 || !differs) {
    for (const [index, altitude] of altitudes.entries()) {
      showAltitude(target, altitude, altitudeTimesMs[index] ?? measured.timeMs)
    }
  }
  if (reported.type !== undefined) track.type = reported.type
  if (elapsedMs >= 0 && onGround !== undefined) track.onGround = onGround
  if (elapsedMs >= minIntervalMs) {
    target.intervalMs += (target.intervalMs === 0 ? 1 : intervalGain) * (elapsedMs - target.intervalMs)
  }
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
