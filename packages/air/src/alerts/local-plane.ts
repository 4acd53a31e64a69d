/**
 * Distances and displacements of up to some tens of kilometres, on a plane that touches the WGS 84 ellipsoid.
 * In: degrees. Out: metres east and north, and back. Over 40 km at 60° the error is below 0.1 %.
 */
export interface Place {
  latDegrees: number
  lonDegrees: number
}

export interface Offset {
  eastMetres: number
  northMetres: number
}

/** From one place to another, the short way around. */
export function offsetBetween(from: Place, to: Place): Offset {
  const scale = scaleAt((from.latDegrees + to.latDegrees) / 2)
  return {
    eastMetres: toShortWay(to.lonDegrees - from.lonDegrees) * scale.metresPerLonDegree,
    northMetres: (to.latDegrees - from.latDegrees) * scale.metresPerLatDegree,
  }
}

export function displace({ latDegrees, lonDegrees }: Place, { eastMetres, northMetres }: Offset): Place {
  const { metresPerLatDegree } = scaleAt(latDegrees)
  const lat = Math.min(Math.max(latDegrees + northMetres / metresPerLatDegree, -90), 90)
  const { metresPerLonDegree } = scaleAt((latDegrees + lat) / 2)
  return { latDegrees: lat, lonDegrees: toShortWay(lonDegrees + eastMetres / metresPerLonDegree) }
}

/** Length of a degree, from the radii of curvature of the ellipsoid. */
export function scaleAt(latDegrees: number): { metresPerLatDegree: number; metresPerLonDegree: number } {
  const lat = latDegrees * radiansPerDegree
  const w = 1 - eccentricitySquared * Math.sin(lat) ** 2
  const primeVertical = semiMajorMetres / Math.sqrt(w)
  return {
    metresPerLatDegree: (radiansPerDegree * primeVertical * (1 - eccentricitySquared)) / w,
    // At the poles a degree of longitude has no length, which nothing can be divided by.
    metresPerLonDegree: radiansPerDegree * primeVertical * Math.max(Math.cos(lat), 1e-3),
  }
}

/** A position is written with six digits, about 0.1 m. */
export function toMicrodegrees(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6
}

const semiMajorMetres = 6_378_137
const eccentricitySquared = 0.00669437999014
const radiansPerDegree = Math.PI / 180

/** From -180 to below 180. */
function toShortWay(lonDegrees: number): number {
  if (lonDegrees >= -180 && lonDegrees < 180) return lonDegrees
  return lonDegrees - 360 * Math.floor((lonDegrees + 180) / 360)
}
