/**
 * How far the time and the place of tracks may be off, though no comparison shows it: sensors measure only how they
 * differ from each other.
 * In: the sensors. Out: the variances of what the time and place of each are off. Sensors that say who targets are have
 * time and place from satellites. While they agree, that is so. When they differ, each of them may be off as any
 * unknown sensor is, or as much as they differ, or as far as their mean is off. The mean alone would be too little:
 * sensors of different regions were possibly compared with different ones.
 */
import { type ErrorCovariance, noErrors, sumErrors, toErrorCovariance } from '../filter/error-covariance.ts'
import { biasParameters, clockParameters } from '../parameters.ts'
import type { Picture } from '../picture.ts'
import type { Target } from '../targets/target.ts'
import { disagreementOf, meanOf, squaresOf } from './disagreement.ts'
import { errorsAt, polarErrorsAt } from './errors-at.ts'
import { isIdentifying } from './rank.ts'
import type { Sensor } from './sensor.ts'
import { isClockSure, isPlaceSure } from './sure-errors.ts'

const { unknownOffsetSeconds, knownOffsetSeconds } = clockParameters
const { unknownMetres, knownMetres } = biasParameters

/** Of sensors that say who targets are and were compared, after their correction. */
export function ownErrorsOfCompared(sensors: Iterable<Sensor>): ErrorCovariance {
  const compared = [...sensors].filter((sensor) => isIdentifying(sensor) && sensor.comparedAtMs > 0)
  const clocks = compared.filter(isClockSure)
  const places = compared.filter(isPlaceSure)
  const ofPlace = (pick: (sensor: Sensor) => number) => varianceOf(places.map(pick), knownMetres, unknownMetres)
  return {
    ...noErrors,
    time: varianceOf(
      clocks.map(({ offsetSeconds }) => offsetSeconds),
      knownOffsetSeconds,
      unknownOffsetSeconds,
    ),
    east: ofPlace(({ eastMetres }) => eastMetres),
    north: ofPlace(({ northMetres }) => northMetres),
  }
}

/** Of a track, which has the time and place of its reference. */
export function ownErrorsOf(
  { track, deviceUrn, motion }: Target,
  { index, ownErrors }: Picture,
): Readonly<ErrorCovariance> {
  const reference = index.sensor(deviceUrn)
  if (!isIdentifying(reference)) return sumErrors(unknownErrors, polarErrorsAt(reference, motion))
  if (reference.comparedAtMs > 0) return sumErrors(errorsAt(reference, motion), ownErrors)
  // One alone is taken to be right. Of several that could not be compared, any one may be.
  const isAlone = track.contributions.every(
    (one) => one.deviceUrn === deviceUrn || !isIdentifying(index.sensor(one.deviceUrn)),
  )
  return isAlone ? noErrors : unknownErrors
}

const unknownErrors = toErrorCovariance(unknownOffsetSeconds ** 2, unknownMetres ** 2)

/** Of each of them. `known` and `unknown`: standard deviations of a sensor that is right, and of any. */
function varianceOf(offsets: readonly number[], known: number, unknown: number): number {
  const count = offsets.length
  if (count < 2) return 0
  const probability = 1 / (1 + Math.exp(-disagreementOf(offsets, known, unknown) / 2))
  const spread = Math.max(unknown ** 2, squaresOf(offsets) / (count - 1))
  return probability * Math.max(spread, meanOf(offsets) ** 2 + spread / count)
}
