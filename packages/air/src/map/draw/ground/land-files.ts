/**
 * Loads land as it is needed: the coarse file first, finer ones when the map is close enough to show more.
 * In: the addresses of the files by name, and scales. Out: the lines to draw.
 */
import type { GeoJSON, Position } from 'geojson'
import { toX, toY } from '../../model/mercator.ts'
import { createFileLoader, readAnswer } from './file-loader.ts'
import { type Line, readLand, toLine } from './land.ts'

export interface LandFiles {
  /** @param scale Of the view. */
  need(scale: number): void
}

/**
 * The finest file with a limit below the scale of the map is shown; the finest one for the whole world takes long to
 * draw.
 */
const levels = [
  { name: '110m', fromScale: 0 },
  { name: '50m', fromScale: 2_000 },
  { name: '10m', fromScale: 16_000 },
] as const

export function createLandFiles(
  addresses: Partial<Record<string, string>>,
  onChange: (lines: Line[]) => void,
): LandFiles {
  const loaded = new Map<string, Line[]>()
  const given = levels.filter(({ name }) => addresses[name] !== undefined)
  let wanted = given[0]?.name
  let shown: string | undefined
  const load = createFileLoader(addresses, (name, bytes) => {
    loaded.set(name, readLand(bytes))
    show()
  })

  /** Until the wanted file has arrived, what was shown stays. */
  function show(): void {
    const name = wanted !== undefined && loaded.has(wanted) ? wanted : (shown ?? [...loaded.keys()][0])
    const lines = name === undefined ? undefined : loaded.get(name)
    if (!lines || name === shown) return
    shown = name
    onChange(lines)
  }

  return {
    need(scale) {
      wanted = given.findLast(({ fromScale }) => scale >= fromScale)?.name ?? wanted
      if (wanted !== undefined) load(wanted)
      show()
    },
  }
}

/**
 * The operator's GeoJSON as lines. What is neither a line nor an area is left out. Without a connection there are none.
 */
export async function loadBasemap(address: string): Promise<Line[]> {
  return (await readAnswer(address, async (answer) => toLines(await answer.json()))) ?? []
}

function toLines(object: GeoJSON): Line[] {
  switch (object.type) {
    case 'FeatureCollection':
      return object.features.flatMap((feature) => toLines(feature))
    case 'Feature':
      return object.geometry ? toLines(object.geometry) : []
    case 'GeometryCollection':
      return object.geometries.flatMap((geometry) => toLines(geometry))
    case 'LineString':
      return [toOneLine(object.coordinates)]
    case 'MultiLineString':
    case 'Polygon':
      return object.coordinates.map(toOneLine)
    case 'MultiPolygon':
      return object.coordinates.flat().map(toOneLine)
    default:
      return []
  }
}

function toOneLine(positions: Position[]): Line {
  // 32 bits would be off by metres, which a close map shows.
  return toLine(new Float64Array(positions.flatMap(([lon = 0, lat = 0]) => [toX(lon), toY(lat)])), true)
}
