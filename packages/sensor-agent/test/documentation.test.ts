import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { exitCodes } from '../src/bin/exit-codes.ts'
import { options } from '../src/bin/settings/options.ts'

const root = new URL('../../../', import.meta.url)
const read = (file: string) => readFile(new URL(file, root), 'utf8')

test('the page about sources shows the source of the MQTT example, which is compiled and run', async () => {
  const [, block] = /```ts\n([\s\S]*?)```/.exec(await read('docs/sensor-sources.md')) ?? []
  const example = await read('examples/mqtt-source/mqtt-source.ts')

  expect(example.slice(example.indexOf('import'))).toBe(block)
})

test('the pages name only settings that exist', async () => {
  const pages = (await Promise.all(['docs/sensor-sources.md', 'docs/sensor-agent-command.md'].map(read))).join('')
  const known = Object.values(options).map((option) => option().long)

  const ofNode = ['--optimize-for-size', '--lite-mode']

  const named = [...pages.matchAll(/[^\w-](--[a-z][a-z-]*)/g)].map(([, flag]) => flag)
  expect(named.filter((flag) => !['--help', ...ofNode].includes(flag ?? '') && !known.includes(flag))).toEqual([])
})

test('the page about the command lists every exit status', async () => {
  const page = await read('docs/sensor-agent-command.md')
  const listed = [...page.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code))

  expect(listed).toEqual(Object.values(exitCodes))
})
