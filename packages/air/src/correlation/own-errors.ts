/**
 * How far the time and the place of tracks may be off, though no comparison shows it: sensors measure only how they
 * differ from each other.
 * In: the sensors. Out: the variances of what the time and place of each are off. Sensors that say who
 * targets are have time and place from satellites. While they agree, that is so, and what their offsets have in common
 * is taken from all sensors: no comparison corrects it, so it would wander off. When they differ, each of them may be
 * off as any unknown sensor is, or as much as they differ, or as far as their mean is off. The mean alone would be too
 * little: sensors of different regions were possibly compared with different ones.
 */
import { type ErrorCovariance, noErrors, sumErrors, toErrorCovariance } from './filter/error-covariance.ts'
import { biasParameters, clockParameters } from './parameters.ts'
import type { Picture } from './picture.ts'
import { isClockSure, isIdentifying, isPlaceSure, type Sensor } from './sensors.ts'
import type { Target } from './targets/target.ts'

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

/**
 * Of sensors that were compared: while those that say who targets are agree, the mean of their offsets is 0. Once a
 * second by the receipt of entries, so that a tracker that reads them later does the same.
 */
export function removeCommonErrors(picture: Picture, receivedAtMs: number): void {
  if (receivedAtMs < picture.commonErrorsAtMs + everyMs) return
  picture.commonErrorsAtMs = receivedAtMs
  const compared = [...picture.index.sensors.values()].filter((sensor) => sensor.comparedAtMs > 0)
  const identifying = compared.filter(isIdentifying)
  remove('offsetSeconds', identifying.filter(isClockSure), knownOffsetSeconds, unknownOffsetSeconds)
  for (const axis of ['eastMetres', 'northMetres'] as const)
    remove(axis, identifying.filter(isPlaceSure), knownMetres, unknownMetres)

  function remove(of: OffsetName, sure: Sensor[], known: number, unknown: number): void {
    const offsets = sure.map((sensor) => sensor[of])
    if (offsets.length < 2 || advantageOf(offsets, known, unknown) > 0) return
    const mean = meanOf(offsets)
    for (const sensor of compared) sensor[of] -= mean
  }
}

const everyMs = 1_000

type OffsetName = 'offsetSeconds' | 'eastMetres' | 'northMetres'

/** Of a track, which has the time and place of its reference. */
export function ownErrorsOf({ track, deviceUrn }: Target, { index, ownErrors }: Picture): Readonly<ErrorCovariance> {
  const reference = index.sensor(deviceUrn)
  if (!isIdentifying(reference)) return unknownErrors
  if (reference.comparedAtMs > 0) return sumErrors(reference.covariance, ownErrors)
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
  const probability = 1 / (1 + Math.exp(-advantageOf(offsets, known, unknown) / 2))
  const spread = Math.max(unknown ** 2, squaresOf(offsets) / (count - 1))
  return probability * Math.max(spread, meanOf(offsets) ** 2 + spread / count)
}

/** -2 ln of the ratio of the likelihoods: that all of them are right, to that each may be off as any sensor is. */
function advantageOf(offsets: readonly number[], known: number, unknown: number): number {
  // Both sides of a difference are uncertain.
  const knownVariance = 2 * known ** 2
  const unknownVariance = unknown ** 2 + knownVariance
  return (
    squaresOf(offsets) * (1 / knownVariance - 1 / unknownVariance) -
    (offsets.length - 1) * Math.log(unknownVariance / knownVariance)
  )
}

function meanOf(offsets: readonly number[]): number {
  return offsets.reduce((sum, offset) => sum + offset, 0) / offsets.length
}

function squaresOf(offsets: readonly number[]): number {
  const mean = meanOf(offsets)
  return offsets.reduce((sum, offset) => sum + (offset - mean) ** 2, 0)
}
