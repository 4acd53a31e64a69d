/**
 * Prints lists for people: aligned columns. Where the terminal is too narrow, what all rows have in common goes below
 * the table, and names are cut; where that is not enough, each row is a block.
 * In: rows of cells by column. Out: text, in which invisible characters are escaped.
 */
import { toVisible } from '@posrep/kernel/visible'

export type Row = Record<string, string>

const gap = '   '
/** The only column whose cells are cut: an id or a time must be complete to be used. */
const cutColumn = 'NAME'
const shortestCut = 12

/**
 * @param rows All rows have the same columns; the keys of the first row are the titles.
 * @param width Width of the terminal in characters. Default: no limit.
 */
export function toTable(rows: Row[], width = Number.POSITIVE_INFINITY): string {
  const shown = rows.map(toVisibleRow)
  if (widthOf(shown) <= width) return toLines(shown)
  const { different, common } = separateCommon(shown)
  const cut = cutNames(different, width)
  if (shown.length === 1 || widthOf(cut) > width) return shown.map(toBlock).join('\n\n')
  const inAll = Object.entries(common).map((cell) => cell.join(' '))
  return inAll.length === 0 ? toLines(cut) : `${toLines(cut)}\n\nIn all rows: ${inAll.join(', ')}`
}

/** One entry, as a block. */
export function toDetails(row: Row): string {
  return toBlock(toVisibleRow(row))
}

function toVisibleRow(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([title, cell]) => [title, toVisible(cell)]))
}

function separateCommon(rows: Row[]): { different: Row[]; common: Row } {
  const isCommon = ([title, cell]: [string, string]) => rows.every((row) => row[title] === cell)
  const keep = (row: Row, common: boolean) =>
    Object.fromEntries(Object.entries(row).filter((cell) => isCommon(cell) === common))
  return { different: rows.map((row) => keep(row, false)), common: keep(rows[0] ?? {}, true) }
}

function cutNames(rows: Row[], width: number): Row[] {
  const excess = widthOf(rows) - width
  const longest = Math.max(...rows.map((row) => lengthOf(row[cutColumn] ?? '')))
  const limit = Math.max(shortestCut, longest - excess)
  if (excess <= 0 || limit >= longest) return rows
  return rows.map((row) => ({ ...row, [cutColumn]: cutTo(row[cutColumn] ?? '', limit) }))
}

function cutTo(text: string, limit: number): string {
  return lengthOf(text) <= limit ? text : `${[...text].slice(0, limit - 1).join('')}…`
}

function columnWidths(rows: Row[]): number[] {
  const titles = Object.keys(rows[0] ?? {})
  return titles.map((title) => Math.max(...[title, ...rows.map((row) => row[title] ?? '')].map(lengthOf)))
}

function widthOf(rows: Row[]): number {
  const widths = columnWidths(rows)
  return widths.reduce((sum, each) => sum + each, 0) + gap.length * (widths.length - 1)
}

function toLines(rows: Row[]): string {
  const widths = columnWidths(rows)
  return [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
    .map((cells) => toLine(cells, widths))
    .join('\n')
}

function toLine(cells: string[], widths: number[]): string {
  return cells
    .map((cell, column) => pad(cell, widths[column] ?? 0))
    .join(gap)
    .trimEnd()
}

function toBlock(row: Row): string {
  const titleWidth = Math.max(...Object.keys(row).map(lengthOf))
  return Object.entries(row)
    .map(([title, cell]) => `${pad(title, titleWidth)}${gap}${cell}`.trimEnd())
    .join('\n')
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - lengthOf(text)))
}

function lengthOf(text: string): number {
  return [...text].length
}
