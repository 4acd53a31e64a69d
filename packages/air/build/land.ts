/**
 * Land and borders as the map draws them: projected once, here, so that browsers need neither the projection nor a
 * parser.
 * In: a file of world-atlas (Natural Earth, public domain) as TopoJSON. Out: bytes, which
 * `src/map/draw/ground/land.ts` reads.
 *
 * For each line: a number that is twice its count of points, plus 1 for a border; then for each point the differences
 * of x and y to the point before, in 2^-22 of the width of the world. Numbers are LEB128, differences are zigzag-coded.
 * A ring of land is closed without repeating its first point; all rings are filled with the even-odd rule.
 */
import { geoMercator, geoStream } from 'd3-geo'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { createNumberWriter, steps } from './number-writer.ts'

export type World = Topology<{ countries: GeometryCollection; land: GeometryCollection }>

export function toLandBytes(world: World): Buffer {
  const { countries, land } = world.objects
  const { bytes, number, points: writePoints } = createNumberWriter()
  for (const line of project(feature(world, land))) write(line, 0)
  for (const line of project(mesh(world, countries, (a, b) => a !== b))) write(line, 1)
  return Buffer.from(bytes)

  function write(points: [number, number][], kind: 0 | 1): void {
    if (points.length < 2 || isWholeWorld(points)) return
    number(points.length * 2 + kind)
    writePoints(points)
  }
}

/** Islands of a point or two, whose direction is lost by rounding, come out as the world without them. */
function isWholeWorld(points: [number, number][]): boolean {
  const spans = (axis: 0 | 1) => {
    const values = points.map((point) => point[axis])
    return points.length < 100 && Math.min(...values) <= 0 && Math.max(...values) >= steps
  }
  return spans(0) && spans(1)
}

/** Web Mercator, cut at longitude 180 and at the poles; without points that fall together. */
function project(object: Parameters<typeof geoStream>[0]): [number, number][][] {
  const lines: [number, number][][] = []
  let line: [number, number][] = []
  const projection = geoMercator()
    .scale(1 / (2 * Math.PI))
    .translate([0.5, 0.5])
    .precision(0)
  const stream = projection.stream({
    lineStart: () => void (line = []),
    point(x, y) {
      const point: [number, number] = [Math.round(x * steps), Math.round(y * steps)]
      const last = line.at(-1)
      if (last?.[0] !== point[0] || last[1] !== point[1]) line.push(point)
    },
    lineEnd: () => void lines.push(line),
    polygonStart: () => {},
    polygonEnd: () => {},
  })
  geoStream(object, stream)
  return lines
}
