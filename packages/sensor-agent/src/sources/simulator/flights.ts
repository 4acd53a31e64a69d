/**
 * The simulator's flights.
 * In: the centre, the number of the aircraft. Out: its place and velocity at any time since the start. Distances are
 * computed on a plane around the centre, which is exact enough for the few kilometres of the flights.
 */

export interface Flight {
  name: string
  at(seconds: number): { lat: number; lon: number; heightMetres: number; east: number; north: number }
}

interface Place {
  lat: number
  lon: number
}

const metresPerDegree = 111_320

/** More than the vertical limits of conflicts, 450 ft. */
const levelMetres = 150
const levels = 50
/** From a circle to the next one of the same level; more than the horizontal limits. */
const ringMetres = 6_000

/**
 * Circles of 2 km and more around the centre, each wider and higher than the one before, every second one
 * anticlockwise: however many there are, no two aircraft are in conflict.
 */
export function circle(centre: Place, index: number): Flight {
  const level = index % levels
  const radiusMetres = 2_000 + 300 * level + ringMetres * Math.floor(index / levels)
  const speed = 60 + (index % 10) * 5
  const turn = (index % 2 === 0 ? 1 : -1) * (speed / radiusMetres)
  const startRadians = index * 2.4
  return {
    name: toName(index),
    at(seconds) {
      const angle = startRadians + turn * seconds
      return {
        ...move(centre, radiusMetres * Math.sin(angle), radiusMetres * Math.cos(angle)),
        heightMetres: 500 + levelMetres * level,
        east: radiusMetres * turn * Math.cos(angle),
        north: -radiusMetres * turn * Math.sin(angle),
      }
    },
  }
}

/** From this far away a pair flies towards each other, passes, and starts again. */
const halfWayMetres = 3_000

/**
 * Both aircraft of a pair fly at 60 m/s, so they pass 50 s after each start. Each pair has a height and a direction of
 * its own.
 */
export function encounter(centre: Place, index: number, missDistanceMetres: number): Flight {
  const pair = Math.floor(index / 2)
  const side = index % 2 === 0 ? 1 : -1
  const [speed, periodSeconds] = [60, (2 * halfWayMetres) / 60]
  const direction = pair * 0.7
  return {
    name: toName(index),
    at(seconds) {
      const along = side * (halfWayMetres - speed * (seconds % periodSeconds))
      const across = (side * missDistanceMetres) / 2
      const [sin, cos] = [Math.sin(direction), Math.cos(direction)]
      return {
        ...move(centre, along * sin + across * cos, along * cos - across * sin),
        heightMetres: 300 + 60 * (pair % 100),
        east: -side * speed * sin,
        north: -side * speed * cos,
      }
    },
  }
}

function move({ lat, lon }: Place, eastMetres: number, northMetres: number): Place {
  const degreesEast = eastMetres / (metresPerDegree * Math.cos((lat * Math.PI) / 180))
  // At the date line the longitude starts again.
  return { lat: lat + northMetres / metresPerDegree, lon: ((lon + degreesEast + 540) % 360) - 180 }
}

function toName(index: number): string {
  return `SIM${String(index + 1).padStart(4, '0')}`
}
