/**
 * Removes what the offsets of sensors have in common: no comparison corrects it, so it would wander off.
 * In: the picture, before each entry. Out: the offsets of its sensors, without it.
 */
import { biasParameters, clockParameters } from '../parameters.ts'
import type { Picture } from '../picture.ts'
import { disagreementOf, meanOf } from './disagreement.ts'
import { isIdentifying } from './rank.ts'
import type { Sensor } from './sensor.ts'
import { isClockSure, isPlaceSure } from './sure-errors.ts'

const { unknownOffsetSeconds, knownOffsetSeconds } = clockParameters
const { unknownMetres, knownMetres } = biasParameters

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
    if (offsets.length < 2 || disagreementOf(offsets, known, unknown) > 0) return
    const mean = meanOf(offsets)
    for (const sensor of compared) sensor[of] -= mean
  }
}

const everyMs = 1_000

type OffsetName = 'offsetSeconds' | 'eastMetres' | 'northMetres'
