/**
 * The projection of the map: Web Mercator, with the world as a square from 0 to 1, x to the east and y to the south, as
 * map tiles have it. In: degrees. Out: x and y.
 */
const maxLatitude = 85.051_128_779_8
/** WGS 84, the larger radius. */
export const earthRadiusMetres = 6_378_137
export const earthMetres = 2 * Math.PI * earthRadiusMetres

export function toX(lonDegrees: number): number {
  return (lonDegrees + 180) / 360
}

export function toY(latDegrees: number): number {
  const lat = Math.max(-maxLatitude, Math.min(maxLatitude, latDegrees))
  const sine = Math.sin((lat * Math.PI) / 180)
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
}

export function toLon(x: number): number {
  return x * 360 - 180
}

export function toLat(y: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI
}

/** Length on the map of a metre on the ground at this latitude. */
export function unitsPerMetre(latDegrees: number): number {
  return 1 / (earthMetres * Math.max(0.05, Math.cos((latDegrees * Math.PI) / 180)))
}
