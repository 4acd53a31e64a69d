/**
 * Places as n-vectors (unit vectors normal to the ellipsoid), and the local tangent plane at a place: east and north in
 * metres. Works at the poles and across the antimeridian. Sources: Gade, "A Non-singular Horizontal Position
 * Representation", J. Navigation 63 (2010); the radii of curvature of WGS 84, NIMA TR8350.2.
 */

export interface Vector {
  x: number
  y: number
  z: number
}

/** The unit vectors to the east and to the north, and the radii of curvature in these directions. */
export interface LocalFrame {
  eastX: number
  eastY: number
  northX: number
  northY: number
  northZ: number
  eastRadiusMetres: number
  northRadiusMetres: number
}

const radians = Math.PI / 180
const semiMajorMetres = 6_378_137
const eccentricitySquared = 0.006_694_379_990_14

export function toVector(latDegrees: number, lonDegrees: number): Vector {
  const lat = latDegrees * radians
  const lon = lonDegrees * radians
  const cosLat = Math.cos(lat)
  return { x: cosLat * Math.cos(lon), y: cosLat * Math.sin(lon), z: Math.sin(lat) }
}

export function toLatDegrees({ x, y, z }: Vector): number {
  return Math.atan2(z, Math.sqrt(x * x + y * y)) / radians
}

/** From -180 to below 180. */
export function toLonDegrees({ x, y }: Vector): number {
  const lon = Math.atan2(y, x) / radians
  return lon >= 180 ? lon - 360 : lon
}

export function frameAt({ x, y, z }: Vector): LocalFrame {
  const cosLat = Math.sqrt(x * x + y * y)
  // At a pole every direction is south or north; any east serves.
  const eastX = cosLat > 1e-12 ? -y / cosLat : 0
  const eastY = cosLat > 1e-12 ? x / cosLat : 1
  const w = 1 - eccentricitySquared * z * z
  const eastRadiusMetres = semiMajorMetres / Math.sqrt(w)
  return {
    eastX,
    eastY,
    northX: -z * eastY,
    northY: z * eastX,
    northZ: x * eastY - y * eastX,
    eastRadiusMetres,
    northRadiusMetres: (eastRadiusMetres * (1 - eccentricitySquared)) / w,
  }
}

/** Metres to the east from the origin of the frame. Exact to a centimetre within 10 km. */
export function eastOf(frame: LocalFrame, from: Vector, to: Vector): number {
  return ((to.x - from.x) * frame.eastX + (to.y - from.y) * frame.eastY) * frame.eastRadiusMetres
}

export function northOf(frame: LocalFrame, from: Vector, to: Vector): number {
  const north = (to.x - from.x) * frame.northX + (to.y - from.y) * frame.northY + (to.z - from.z) * frame.northZ
  return north * frame.northRadiusMetres
}

/** Moves the place by metres to the east and north of the frame at the place. Keeps it a unit vector. */
export function move(place: Vector, frame: LocalFrame, eastMetres: number, northMetres: number): void {
  const east = eastMetres / frame.eastRadiusMetres
  const north = northMetres / frame.northRadiusMetres
  const x = place.x + east * frame.eastX + north * frame.northX
  const y = place.y + east * frame.eastY + north * frame.northY
  const z = place.z + north * frame.northZ
  const length = Math.sqrt(x * x + y * y + z * z)
  place.x = x / length
  place.y = y / length
  place.z = z / length
}

/** A vector in the frame, as one in space. */
export function toSpace(frame: LocalFrame, east: number, north: number): Vector {
  return {
    x: east * frame.eastX + north * frame.northX,
    y: east * frame.eastY + north * frame.northY,
    z: north * frame.northZ,
  }
}

/** The part to the east of a vector in space. */
export function eastPart(frame: LocalFrame, { x, y }: Vector): number {
  return x * frame.eastX + y * frame.eastY
}

/** The part to the north of a vector in space. */
export function northPart(frame: LocalFrame, { x, y, z }: Vector): number {
  return x * frame.northX + y * frame.northY + z * frame.northZ
}
