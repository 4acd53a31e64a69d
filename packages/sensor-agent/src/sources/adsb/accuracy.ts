/**
 * Accuracy categories of ADS-B in metres and metres per second: the bounds that hold with 95 % probability.
 * In: the category as broadcast. Out: the bound; `undefined` when it is unknown. RTCA DO-260B, tables 2-71, 2-73 and
 * 2-88.
 */
import { findNumber } from '../fields.ts'

const positionMetres = [undefined, 18_520, 7_408, 3_704, 1_852, 926, 555.6, 185.2, 92.6, 30, 10, 3]
const velocityMetresPerSecond = [undefined, 10, 3, 1, 0.3]
const verticalMetres = [undefined, 150, 45]

/** Navigation Accuracy Category for position, `nac_p`, 0-11. */
export function positionAccuracyMetres(category: unknown): number | undefined {
  return atIndex(positionMetres, category)
}

/** Navigation Accuracy Category for velocity, `nac_v`, 0-4. */
export function velocityAccuracyMetresPerSecond(category: unknown): number | undefined {
  return atIndex(velocityMetresPerSecond, category)
}

/** Geometric Vertical Accuracy, `gva`, 0-2. */
export function verticalAccuracyMetres(category: unknown): number | undefined {
  return atIndex(verticalMetres, category)
}

function atIndex<T>(table: readonly T[], category: unknown): T | undefined {
  const index = findNumber(category)
  return index === undefined ? undefined : table[index]
}
