/**
 * A spatial index of moving targets: cells of about 5.5 km in bands of latitude. Each band has as many cells as fit, so
 * that cells are not narrow at high latitudes, and the band is closed across the antimeridian.
 * A library such as rbush would have to remove and insert each target with every position; here a target that stays in
 * its cell costs a comparison.
 */
import type { Vector } from '../filter/local-frame.ts'
import { toLatDegrees, toLonDegrees } from '../filter/local-frame.ts'

export interface Grid<T> {
  /** Adds the item or moves it. */
  put(item: T, place: Vector): void
  remove(item: T): void
  /**
   * Calls `visit` for each item within about 5 km, and for some that are further away. Leaves out cells with over 400
   * items.
   */
  visitNear(latDegrees: number, lonDegrees: number, visit: (item: T) => void): void
}

const cellDegrees = 0.05
const bands = 180 / cellDegrees
/** More cannot be told apart by their positions, and would make a search slow. */
const maxItems = 400
const radians = Math.PI / 180

export function createGrid<T>(): Grid<T> {
  const cells = new Map<number, T[]>()
  const cellOf = new Map<T, number>()

  const remove = (item: T) => {
    const cell = cellOf.get(item)
    if (cell === undefined) return
    cellOf.delete(item)
    const items = cells.get(cell) ?? []
    const last = items.pop()
    if (last !== undefined && last !== item) items[items.indexOf(item)] = last
    if (items.length === 0) cells.delete(cell)
  }

  return {
    put(item, place) {
      const band = bandOf(toLatDegrees(place))
      const cell = toCell(band, columnOf(toLonDegrees(place), columnsOf(band)))
      if (cellOf.get(item) === cell) return
      remove(item)
      cellOf.set(item, cell)
      const items = cells.get(cell)
      if (items) items.push(item)
      else cells.set(cell, [item])
    },
    remove,
    visitNear(latDegrees, lonDegrees, visit) {
      const middle = bandOf(latDegrees)
      for (let band = Math.max(0, middle - 1); band <= Math.min(bands - 1, middle + 1); band++) {
        const columns = columnsOf(band)
        const column = columnOf(lonDegrees, columns)
        const from = columns < 3 ? 0 : column - 1
        const count = Math.min(columns, 3)
        for (let step = 0; step < count; step++) {
          const items = cells.get(toCell(band, (from + step + columns) % columns))
          if (items && items.length <= maxItems) for (const item of items) visit(item)
        }
      }
    },
  }
}

function bandOf(latDegrees: number): number {
  return Math.min(bands - 1, Math.max(0, Math.floor((latDegrees + 90) / cellDegrees)))
}

/** The edge that is nearer to the pole decides, so that no cell is narrower than 0.05 degrees of latitude. */
function columnsOf(band: number): number {
  const edgeDegrees = Math.max(Math.abs(band * cellDegrees - 90), Math.abs((band + 1) * cellDegrees - 90))
  return Math.max(1, Math.floor((360 / cellDegrees) * Math.cos(Math.min(edgeDegrees, 90) * radians)))
}

function columnOf(lonDegrees: number, columns: number): number {
  return Math.min(columns - 1, Math.floor(((lonDegrees + 180) / 360) * columns))
}

function toCell(band: number, column: number): number {
  return band * 8_192 + column
}
