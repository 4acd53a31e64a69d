/** A box in longitude and latitude. One whose west is greater than its east reaches across longitude 180. */
import type { GeographicPosition } from '@posrep/spec'

export interface Box {
  westDegrees: number
  southDegrees: number
  eastDegrees: number
  northDegrees: number
}

export function isInBox(
  { westDegrees, southDegrees, eastDegrees, northDegrees }: Box,
  { lat, lon }: GeographicPosition,
): boolean {
  if (lat < southDegrees || lat > northDegrees) return false
  if (westDegrees <= eastDegrees) return lon >= westDegrees && lon <= eastDegrees
  return lon >= westDegrees || lon <= eastDegrees
}
