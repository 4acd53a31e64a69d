/**
 * Lists for people: aligned columns, or, where the terminal is too narrow for them, one block per entry.
 * In: rows of cells by column. Out: lines of text; what could steer a terminal is made visible.
 */
export type Row = Record<string, string>

const gap = '   '

/**
 * @param rows All with the same columns; those are the titles.
 * @param width Of the terminal, in characters; without one, rows are as long as they are.
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

/** Names come from users too: control characters and those that turn the direction of writing are escaped. */
export function toVisible(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u${code.toString(16).padStart(4, '0')}`
  })
}
