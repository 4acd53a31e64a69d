/**
 * The errors of a sensor, and how uncertain they are together: a symmetric matrix, whose rows and columns are in the
 * order of `errorNames`.
 */
import { biasParameters, clockParameters, polarParameters } from '../parameters.ts'

const { unknownOffsetSeconds, knownOffsetSeconds } = clockParameters
const { unknownMetres, knownMetres } = biasParameters
const { unknownDegrees, knownDegrees, unknownRangeMetres, knownRangeMetres } = polarParameters

export const errorNames = ['offsetSeconds', 'eastMetres', 'northMetres', 'azimuthDegrees', 'rangeMetres'] as const
export const errorIndices = [0, 1, 2, 3, 4] as const
/** Those of any sensor, and those of one that measures from where it stands. */
export const ordinaryErrors = [0, 1, 2] as const
export const polarErrors = [3, 4] as const

/** One number for each error. */
export type PerError = [number, number, number, number, number]
export type SensorCovariance = [PerError, PerError, PerError, PerError, PerError]

/** Variances before anything is known of a sensor, and the least ones. */
export const unknownVariances: Readonly<PerError> = [
  unknownOffsetSeconds ** 2,
  unknownMetres ** 2,
  unknownMetres ** 2,
  unknownDegrees ** 2,
  unknownRangeMetres ** 2,
]
export const knownVariances: Readonly<PerError> = [
  knownOffsetSeconds ** 2,
  knownMetres ** 2,
  knownMetres ** 2,
  knownDegrees ** 2,
  knownRangeMetres ** 2,
]

/** Independent errors. */
export function toCovariance([time, east, north, azimuth, range]: Readonly<PerError>): SensorCovariance {
  return [
    [time, 0, 0, 0, 0],
    [0, east, 0, 0, 0],
    [0, 0, north, 0, 0],
    [0, 0, 0, azimuth, 0],
    [0, 0, 0, 0, range],
  ]
}

/** Some of the errors have these variances from now on, and go with no other. */
export function replaceErrors(
  covariance: SensorCovariance,
  indices: readonly (typeof errorIndices)[number][],
  variances: Readonly<PerError>,
): void {
  for (const one of indices) {
    for (const index of errorIndices) {
      covariance[one][index] = 0
      covariance[index][one] = 0
    }
    covariance[one][one] = variances[one]
  }
}

export function dot(a: Readonly<PerError>, b: Readonly<PerError>): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4]
}

export function times(p: Readonly<SensorCovariance>, by: Readonly<PerError>): PerError {
  return [dot(p[0], by), dot(p[1], by), dot(p[2], by), dot(p[3], by), dot(p[4], by)]
}
