/**
 * Loads land as it is needed: the coarse file first, finer ones when the map is close enough to show more.
 * In: the addresses of the files by name, and scales. Out: the lines to draw.
 */
import type { GeoJSON, Position } from 'geojson'
import { toX, toY } from '../../model/mercator.ts'
import { type Line, readLand, toLine } from './land.ts'

export interface LandFiles {
  /** @param scale Of the view. */
  need(scale: number): void
}

/** The finest file with a limit below the scale of the map is shown; the finest one for the whole world takes long to draw. */
const levels = [
  { name: '110m', fromScale: 0 },
  { name: '50m', fromScale: 2_000 },
  { name: '10m', fromScale: 16_000 },
] as const

/** After a failure, before the file is requested again. */
const pauseMs = 5_000

export function createLandFiles(addresses: Record<string, string>, onChange: (lines: Line[]) => void): LandFiles {
  /** Also those that failed a moment ago. */
  const loading = new Set<string>()
  const loaded = new Map<string, Line[]>()
  let wanted: string = levels[0].name
  let shown: string | undefined

  async function load(name: string): Promise<void> {
    if (loading.has(name)) return
    loading.add(name)
    const bytes = await read(addresses[name] ?? '', (answer) => answer.arrayBuffer())
    // Without a connection; tried again when it is needed then.
    if (!bytes) return void setTimeout(() => loading.delete(name), pauseMs)
    loaded.set(name, readLand(new Uint8Array(bytes)))
    show()
  }

  /** Until the wanted file has arrived, what was shown stays. */
  function show(): void {
    const name = loaded.has(wanted) ? wanted : (shown ?? [...loaded.keys()][0])
    const lines = name === undefined ? undefined : loaded.get(name)
    if (!lines || name === shown) return
    shown = name
    onChange(lines)
  }

  return {
    need(scale) {
      wanted = levels.findLast(({ fromScale }) => scale >= fromScale)?.name ?? wanted
      if (!loaded.has(wanted)) void load(wanted)
      show()
    },
  }
}

/** The operator's GeoJSON as lines. What is neither a line nor an area is left out. Without a connection there are none. */
export async function loadBasemap(address: string): Promise<Line[]> {
  return (await read(address, async (answer) => toLines(await answer.json()))) ?? []
}

/** Undefined if it cannot be read. */
async function read<T>(address: string, toContent: (answer: Response) => Promise<T>): Promise<T | undefined> {
  try {
    const answer = await fetch(address)
    return answer.ok ? await toContent(answer) : undefined
  } catch {
    return undefined
  }
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
