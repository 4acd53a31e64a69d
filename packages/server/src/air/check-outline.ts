/**
 * Checks the rings of an area: closed, on Earth, without crossings, holes inside. Every side is compared with every
 * other one, so other requests run in between.
 * In: rings of a polygon that the schema accepts, so of 4 to 1,000 positions. Out: each mistake, with a JSON Pointer
 * and what to do about it. Sides are straight in degrees, as in GeoJSON (RFC 7946, 3.1.1).
 */
import { setImmediate } from 'node:timers/promises'
import booleanPointInPolygon from '@turf/boolean-point-in-polygon'
import type { FieldError } from '../errors.ts'

type Ring = readonly (readonly number[])[]
type Side = readonly [lon1: number, lat1: number, lon2: number, lat2: number]

/** Steps between two pauses. One compares something with all sides of a ring, which takes up to 30 µs. */
const stepsAtOnce = 100

export async function checkOutline(rings: readonly Ring[], pointer: string): Promise<FieldError[]> {
  const errors: FieldError[] = []
  for (const [at, ring] of rings.entries()) errors.push(...(await checkRing(ring, `${pointer}/${at}`)))
  const [outer, ...holes] = rings
  if (errors.length > 0 || !outer) return errors
  for (const [at, hole] of holes.entries()) errors.push(...(await checkHole(hole, outer, `${pointer}/${at + 1}`)))
  return errors
}

async function checkRing(ring: Ring, pointer: string): Promise<FieldError[]> {
  const errors: FieldError[] = []
  ring.forEach(([lon = 0, lat = 0], at) => {
    const detail = 'is not a longitude from -180 to 180 and a latitude from -90 to 90; the longitude is first'
    if (Math.abs(lon) > 180 || Math.abs(lat) > 90) errors.push(toError(`${pointer}/${at}`, 'coordinates', detail))
  })
  if (errors.length > 0) return errors
  const [first = [], last = []] = [ring[0], ring.at(-1)]
  if (!isSame(first, last)) {
    const detail = 'is not the first position; repeat the first one at the end'
    return [toError(`${pointer}/${ring.length - 1}`, 'ring', detail)]
  }
  if (new Set(ring.map(([lon, lat]) => `${lon} ${lat}`)).size < 3) {
    return [toError(pointer, 'ring', 'has fewer than three different positions; a shape has three or more')]
  }
  const jump = ring.findIndex(([lon = 0], at) => at > 0 && Math.abs(lon - (ring[at - 1]?.[0] ?? lon)) > 180)
  if (jump !== -1) {
    const detail =
      'is more than 180 degrees of longitude from the position before; cut the shape at longitude 180, and around a pole put positions between'
    return [toError(`${pointer}/${jump}`, 'longitude', detail)]
  }
  return checkCrossings(ring, pointer)
}

/** The first side that meets another one which is not its neighbour. */
async function checkCrossings(ring: Ring, pointer: string): Promise<FieldError[]> {
  const sides = sidesOf(ring)
  for (const [at, side] of sides.entries()) {
    if (at % stepsAtOnce === stepsAtOnce - 1) await setImmediate()
    for (let other = at + 2; other < sides.length; other++) {
      const isNeighbour = at === 0 && other === sides.length - 1
      const found = sides[other]
      if (isNeighbour || !found || !touches(side.line, found.line)) continue
      const detail = `begins a side that meets the one from position ${side.from}; make shapes that do not touch themselves, for example two areas`
      return [toError(`${pointer}/${found.from}`, 'crossing', detail)]
    }
  }
  return []
}

async function checkHole(hole: Ring, outer: Ring, pointer: string): Promise<FieldError[]> {
  const sides = sidesOf(outer)
  const crossing = await findInSteps(sidesOf(hole), ({ line }) => sides.some((side) => crosses(line, side.line)))
  const polygon = { type: 'Polygon' as const, coordinates: [outer.map((position) => [...position])] }
  const isInside = (position: readonly number[], ignoreBoundary: boolean) =>
    booleanPointInPolygon([...position], polygon, { ignoreBoundary })
  // Without crossings all positions are on one side, except those on the outline.
  const notOnOutline = await findInSteps(hole, (position) => isInside(position, true) || !isInside(position, false))
  if (!crossing && notOnOutline && isInside(notOnOutline, true)) return []
  const detail = 'is a hole that is not inside of the outer ring; move it, or make it a separate area'
  return [toError(crossing ? `${pointer}/${crossing.from}` : pointer, 'hole', detail)]
}

async function findInSteps<T>(items: readonly T[], isSought: (item: T) => boolean): Promise<T | undefined> {
  for (let at = 0; at < items.length; at += stepsAtOnce) {
    const found = items.slice(at, at + stepsAtOnce).find(isSought)
    if (found !== undefined) return found
    await setImmediate()
  }
  return undefined
}

/** With the index of the position where each begins. Repeated positions make no side. */
function sidesOf(ring: Ring): { from: number; line: Side }[] {
  return ring.flatMap((end, at) => {
    const start = ring[at - 1]
    if (!start || isSame(start, end)) return []
    return [{ from: at - 1, line: [start[0] ?? 0, start[1] ?? 0, end[0] ?? 0, end[1] ?? 0] as const }]
  })
}

/** Whether the two have a position in common. */
function touches(a: Side, b: Side): boolean {
  if (areApart(a, b)) return false
  const [c, d] = [sideOf(a, b[0], b[1]), sideOf(a, b[2], b[3])]
  const [e, f] = [sideOf(b, a[0], a[1]), sideOf(b, a[2], a[3])]
  return c * d <= 0 && e * f <= 0
}

/** Whether each has parts on both sides of the other. */
function crosses(a: Side, b: Side): boolean {
  if (areApart(a, b)) return false
  return sideOf(a, b[0], b[1]) * sideOf(a, b[2], b[3]) < 0 && sideOf(b, a[0], a[1]) * sideOf(b, a[2], a[3]) < 0
}

function areApart([a1, b1, a2, b2]: Side, [c1, d1, c2, d2]: Side): boolean {
  return (
    Math.max(a1, a2) < Math.min(c1, c2) ||
    Math.max(c1, c2) < Math.min(a1, a2) ||
    Math.max(b1, b2) < Math.min(d1, d2) ||
    Math.max(d1, d2) < Math.min(b1, b2)
  )
}

/** On which side of the line the position is: -1, 1, or 0 on it. */
function sideOf([lon1, lat1, lon2, lat2]: Side, lon: number, lat: number): number {
  return Math.sign((lon2 - lon1) * (lat - lat1) - (lat2 - lat1) * (lon - lon1))
}

function isSame([lon, lat]: readonly number[], [otherLon, otherLat]: readonly number[]): boolean {
  return lon === otherLon && lat === otherLat
}

function toError(pointer: string, code: string, detail: string): FieldError {
  return { pointer, code, detail }
}
