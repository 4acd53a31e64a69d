/** Writes the table of settings into docs/operating.md. In: the records of the settings. `pnpm generate` runs this. */
import { readFileSync, writeFileSync } from 'node:fs'
import { type Setting, toFlag, toShownDefault } from '../src/settings/setting.ts'
import { settingGroups } from '../src/settings/setting-table.ts'

const page = new URL('../../../docs/operating.md', import.meta.url)
const [begin, end] = ['<!-- settings: generated from packages/server/src/settings -->\n', '<!-- settings end -->']

const text = readFileSync(page, 'utf8')
const [before, rest = ''] = text.split(begin)
const [, after] = rest.split(end)
if (after === undefined) throw new Error(`docs/operating.md has no "${begin.trim()}" with "${end}" after it`)
writeFileSync(page, `${before}${begin}\n${toTables()}\n${end}${after}`)

function toTables(): string {
  return Object.entries(settingGroups)
    .map(([title, settings]) => `### ${title}\n\n${toTable(Object.entries(settings).map(toRow))}\n`)
    .join('\n')
}

function toRow([key, setting]: [string, Setting<unknown>]): string[] {
  const { unit, sentence } = setting
  return [`\`${unit === undefined ? toFlag(key) : `${toFlag(key)} ${unit}`}\``, toDefaultCell(setting), sentence]
}

/** Words such as "generated" are no value that could be given, so they are not written as code. */
function toDefaultCell(setting: Setting<unknown>): string {
  const shown = toShownDefault(setting)
  if (shown === undefined) return setting.unit === undefined ? 'off' : 'none'
  return setting.shownDefault === undefined || /^\d|^https:/.test(shown) ? `\`${shown}\`` : shown
}

function toTable(rows: string[][]): string {
  const cells = [['Flag', 'Default', 'Meaning'], ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const toLine = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = cells
  return [toLine(head), toLine(widths.map((width) => '-'.repeat(width))), ...body.map(toLine)].join('\n')
}
