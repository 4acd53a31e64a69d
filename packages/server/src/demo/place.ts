/** Distances of a few kilometres, on a plane: exact enough to make traffic. */

export interface Place {
  lat: number
  lon: number
}

const metresPerDegree = 111_320

export function move({ lat, lon }: Place, eastMetres: number, northMetres: number): Place {
  return { lat: lat + northMetres / metresPerDegree, lon: lon + eastMetres / (metresPerDegree * cosine(lat)) }
}

export function metresBetween(a: Place, b: Place): number {
  return metresPerDegree * Math.hypot(a.lat - b.lat, (a.lon - b.lon) * cosine(b.lat))
}

function cosine(degrees: number): number {
  return Math.cos((degrees * Math.PI) / 180)
}
