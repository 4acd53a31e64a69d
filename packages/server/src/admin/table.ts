/**
 * Prints lists for people: aligned columns, or one block per row where the terminal is too narrow.
 * In: rows of cells by column. Out: text, in which invisible characters are escaped.
 */
import { toVisible } from '../visible.ts'

export type Row = Record<string, string>

const gap = '   '

/**
 * @param rows All rows have the same columns; the keys of the first row are the titles.
 * @param width Width of the terminal in characters. Default: no limit.
 */
export function toTable(rows: Row[], width = Number.POSITIVE_INFINITY): string {
  const titles = Object.keys(rows[0] ?? {})
  const cells = rows.map((row) => titles.map((title) => toVisible(row[title] ?? '')))
  const widths = titles.map((title, column) =>
    Math.max(...[title, ...cells.map((row) => row[column] ?? '')].map(lengthOf)),
  )
  const total = widths.reduce((sum, each) => sum + each, 0) + gap.length * (titles.length - 1)
  if (total > width) return cells.map((row) => toBlock(titles, row)).join('\n\n')
  return [titles, ...cells].map((row) => toLine(row, widths)).join('\n')
}

/** One entry, as a block. */
export function toDetails(row: Row): string {
  return toTable([row], 0)
}

function toLine(row: string[], widths: number[]): string {
  return row
    .map((cell, column) => pad(cell, widths[column] ?? 0))
    .join(gap)
    .trimEnd()
}

function toBlock(titles: string[], row: string[]): string {
  const titleWidth = Math.max(...titles.map(lengthOf))
  return titles.map((title, column) => `${pad(title, titleWidth)}${gap}${row[column] ?? ''}`.trimEnd()).join('\n')
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - lengthOf(text)))
}

function lengthOf(text: string): number {
  return [...text].length
}
