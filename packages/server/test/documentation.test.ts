import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { settingTable } from '../src/settings/setting-table.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (file: string) => readFile(new URL(file, `file://${root}`), 'utf8')

/** The last cell of each row of a table, without the head. */
function lastCells(page: string): string[] {
  return [...page.matchAll(/^\|(?! Threat| -).*\|([^|]*)\|$/gm)].map(([, cell = '']) => cell)
}

function exists(name: string): boolean {
  const path = /^(e2e|packages)\//.test(name) ? name : `packages/server/test/${name}`
  return globSync([`${path}.test.{ts,tsx}`, `${path}/*.test.{ts,tsx}`], { cwd: root }).length > 0
}

test('the page about threats names a test for each of them, and only tests that exist', async () => {
  const cells = lastCells(await read('docs/security.md'))
  const named = cells.flatMap((cell) =>
    [...cell.replaceAll(/contract of `\w+`/g, '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  )

  expect(cells.filter((cell) => !cell.includes('`'))).toEqual([])
  expect(named.length).toBeGreaterThan(80)
  expect(named.filter((name) => !exists(name))).toEqual([])
})

test('the page for operators lists every setting', async () => {
  const page = await read('docs/operating.md')
  const flags = Object.values(settingTable).map(({ name }) => `--${name}`)

  expect(flags.filter((flag) => !page.includes(`| \`${flag}`))).toEqual([])
})
