/**
 * Leaves out what is no altitude of now: heights and ages up to the end of the doubles are valid in a report, but frames could not have
 * them.
 * In: a reception. Out: the same one, or one with usable altitudes only.
 */
import type { StandardAltitude } from '../../../standard/standard-position.ts'
import type { Reception } from '../../track.ts'

/** Greater heights are errors of the sensor. */
const maxMetres = 1_000_000
/** An older height says nothing about where the target is. */
const maxAgeMs = 30_000

export function withUsableAltitudes(reception: Reception): Reception {
  const { position } = reception
  if (position.altitudes.every(isUsable)) return reception
  const altitudes = position.altitudes.map(limitAccuracy).filter(isUsable)
  return { ...reception, position: { ...position, altitudes } }
}

function limitAccuracy(altitude: StandardAltitude): StandardAltitude {
  const { accuracyMetres } = altitude
  return accuracyMetres === undefined ? altitude : { ...altitude, accuracyMetres: Math.min(accuracyMetres, maxMetres) }
}

function isUsable({ heightMetres, accuracyMetres = 0, ageMs = 0 }: StandardAltitude): boolean {
  return Math.abs(heightMetres) < maxMetres && accuracyMetres <= maxMetres && ageMs <= maxAgeMs
}
