import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (file: string) => readFile(new URL(file, `file://${root}`), 'utf8')

/** The last cell of each row of a table, without the head. */
function lastCells(page: string): string[] {
  return [...page.matchAll(/^\|(?! Threat| What is stored| -).*\|([^|]*)\|$/gm)].map(([, cell = '']) => cell)
}

function exists(name: string): boolean {
  const path = /^(e2e|packages|kernel)\//.test(name) ? name : `packages/server/test/${name}`
  return globSync([`${path}.test.{ts,tsx}`, `${path}/*.test.{ts,tsx}`], { cwd: root }).length > 0
}

test('the page about threats names a test for each of them, and only tests that exist', async () => {
  const cells = lastCells(await read('docs/security.md'))
  const named = cells.flatMap((cell) =>
    [...cell.replaceAll(/contract of `\w+`|`pnpm check`/g, '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  )

  expect(cells.filter((cell) => !cell.includes('`'))).toEqual([])
  expect(named.length).toBeGreaterThan(80)
  expect(named.filter((name) => !exists(name))).toEqual([])
})

test('the index of decisions lists every page once, with its title', async () => {
  const index = await read('docs/decisions/README.md')
  const pages = globSync('docs/decisions/0*.md', { cwd: root }).sort()
  const expected = await Promise.all(
    pages.map(async (page) => {
      const [, number, title] = /^# (\d+)\. (.+)$/m.exec(await read(page)) ?? []
      return `| ${number} | [${title}](${page.replace('docs/decisions/', '')}) |`
    }),
  )
  const listed = [...index.matchAll(/^\| (\d+) +\| (\[.+?\]\([^)]+\)) +\|/gm)].map(
    ([, no, link]) => `| ${no} | ${link} |`,
  )

  expect(listed.sort()).toEqual(expected.sort())
})
