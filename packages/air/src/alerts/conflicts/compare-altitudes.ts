/**
 * Chooses the altitudes by which two tracks are compared: both above the same datum, given rather than derived.
 * In: two tracks. Out: one altitude of each, and how far apart they are; undefined if no datum is common to both.
 */
import type { AltitudeDatum } from '@posrep/spec'
import { sigmasOfVerticalBound } from '../../track/accuracy.ts'
import type { Mover, MoverAltitude } from '../mover.ts'

export interface AltitudeComparison {
  own: MoverAltitude
  other: MoverAltitude
  /** The other's altitude minus the own one. */
  upMetres: number
  /** Standard deviation by conversions; 0 if both altitudes are given. */
  uncertaintyMetres: number
}

/** If several are equally certain, the first: aircraft are separated by pressure altitude. */
const preference: readonly AltitudeDatum[] = ['bar', 'wgs84', 'msl', 'agl']
/** The ground below two targets differs, and nothing says by how much. */
const groundDifferenceMetres = 30
/** For a derived altitude that does not say it. */
const unknownAccuracyMetres = 20

export function compareAltitudes(own: Mover, other: Mover): AltitudeComparison | undefined {
  let best: AltitudeComparison | undefined
  for (const datum of preference) {
    const a = bestAbove(datum, own.altitudes)
    const b = a && bestAbove(datum, other.altitudes)
    if (!a || !b) continue
    const uncertaintyMetres = Math.hypot(
      conversionError(a),
      conversionError(b),
      datum === 'agl' ? groundDifferenceMetres : 0,
    )
    if (best && best.uncertaintyMetres <= uncertaintyMetres) continue
    best = { own: a, other: b, upMetres: b.heightMetres - a.heightMetres, uncertaintyMetres }
    if (uncertaintyMetres === 0) break
  }
  return best
}

/** Given ones come first. */
export function bestAbove(datum: AltitudeDatum, altitudes: readonly MoverAltitude[]): MoverAltitude | undefined {
  let found: MoverAltitude | undefined
  for (const altitude of altitudes) {
    if (altitude.datum !== datum) continue
    if (altitude.isGiven) return altitude
    found ??= altitude
  }
  return found
}

/** One standard deviation in metres; 0 for a given altitude. */
export function conversionError({ isGiven, accuracyMetres = unknownAccuracyMetres }: MoverAltitude): number {
  return isGiven ? 0 : accuracyMetres / sigmasOfVerticalBound
}
