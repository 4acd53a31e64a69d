/**
 * Leaves out what is no altitude of now: heights and ages up to the end of the doubles are valid in a report, but
 * frames could not have them.
 * In: the altitudes of a position. Out: the same list, or one of usable altitudes only, without what the tracker does
 * not read.
 */
import type { StandardAltitude } from '../../standard/standard-position.ts'

/** Greater heights are errors of the sensor. */
const maxMetres = 1_000_000
/** An older height says nothing about where the target is. */
const maxAgeMs = 30_000

export function usableAltitudes(altitudes: StandardAltitude[]): StandardAltitude[] {
  if (altitudes.every((altitude) => isUsable(altitude) && altitude.source === undefined)) return altitudes
  return altitudes.map(limit).filter(isUsable)
}

/** The source may be a long text. */
function limit({ source: _, ...altitude }: StandardAltitude): StandardAltitude {
  const { accuracyMetres } = altitude
  return accuracyMetres === undefined ? altitude : { ...altitude, accuracyMetres: Math.min(accuracyMetres, maxMetres) }
}

function isUsable({ heightMetres, accuracyMetres = 0, ageMs = 0 }: StandardAltitude): boolean {
  return Math.abs(heightMetres) < maxMetres && accuracyMetres <= maxMetres && ageMs <= maxAgeMs
}
