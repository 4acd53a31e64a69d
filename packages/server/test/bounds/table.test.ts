/** The table of what can be stored (docs/security.md) is complete, and each row names a test that exists. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { indexes } from '../../src/ports/storage/directory.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8')

function rowsOfTable(): string[][] {
  const [, section = ''] = read('../../docs/security.md').split('## What can be stored\n')
  const [table = ''] = section.split('\n## ')
  const rows = table.split('\n').filter((line) => line.startsWith('| '))
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** Where the named test is: a file of tests, or a contract. */
function sourcesOf(name: string): string {
  const contract = /^the contract of `(\w+)`$/.exec(name)?.[1]
  const files = contract === 'Log' ? 'log/*' : `${contract?.replaceAll(/(?!^)([A-Z])/g, '-$1').toLowerCase()}-contract`
  const path = contract ? `src/contracts/${files}.ts` : `test/${name.replaceAll('`', '')}.test.{ts,tsx}`
  return globSync(path, { cwd: root }).map(read).join('\n')
}

test('each row names a test, and the fact that it shows', () => {
  const rows = rowsOfTable()
  const unshown = rows.filter(([, , , , cell = '']) => {
    const [name = '', fact = ''] = cell.split(': ')
    return fact === '' || !sourcesOf(name).includes(fact)
  })

  expect(rows.length).toBeGreaterThan(20)
  expect(unshown).toEqual([])
})

test('each kind of record and each key of the store has a row', () => {
  const named = rowsOfTable()
    .map(([first = '']) => first)
    .join(' ')
  const kinds = Object.keys(indexes)
  const files = globSync('src/**/*.ts', { cwd: root, exclude: ['src/adapters/**', 'src/contracts/**'] }).map(read)
  const ofStore = files.filter((source) => /from '.*ports\/storage\/store\.ts'/.test(source))
  const keys = ofStore.flatMap((source) =>
    [...source.matchAll(/`([a-z][a-z-]*:)[^`]*\$\{/g)].map(([, key = '']) => key),
  )

  expect(keys.length).toBeGreaterThan(15)
  expect([...kinds, ...new Set(keys)].filter((name) => !named.includes(`\`${name}\``))).toEqual([])
})
