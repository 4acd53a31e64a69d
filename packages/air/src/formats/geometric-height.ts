/**
 * Height above the WGS 84 ellipsoid. In: a track. Out: metres; undefined if it is not known, or follows from a pressure
 * only.
 */
import type { AirTrack } from '@posrep/spec'

export function findGeometricHeight({ altitudes }: AirTrack): number | undefined {
  const altitude = altitudes.find(({ datum }) => datum === 'wgs84')
  // In cold air, an altitude that was converted from pressure is wrong by hundreds of metres.
  return altitude?.from?.startsWith('bar') ? undefined : altitude?.height
}
