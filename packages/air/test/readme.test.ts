import { readdir, readFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'

test('the README shows exactly the examples that are compiled here, in under 150 lines', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const folder = new URL('readme/', import.meta.url)
  const files = await Promise.all((await readdir(folder)).map((file) => readFile(new URL(file, folder), 'utf8')))

  const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code)

  expect(blocks.toSorted()).toEqual(files.toSorted())
  expect(readme.split('\n').length).toBeLessThan(150)
})

test("the README's first example makes one track of what two sensors report", async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  const { tracks, aircraft } = await import('./readme/use.ts')
  log.mockRestore()

  expect(tracks.map(({ sensors }) => sensors.map(({ deviceId }) => deviceId))).toEqual([['hill', 'roof']])
  expect(aircraft).toMatchObject([{ hex: '461f9c' }])
})

test('the field dictionary of the README has every member of a track, and nothing else', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const schema = await readFile(new URL('../../../openapi/schemas/AirTrack.yaml', import.meta.url), 'utf8')
  const members = [...schema.matchAll(/^ {2}(\w+):$/gm)].map(([, name]) => name)

  const [, table = ''] = /## A track\n(.*?)\n## /s.exec(readme) ?? []
  const rows = [...table.matchAll(/^\| `(\w+)/gm)].map(([, name]) => name)

  expect(new Set(rows)).toEqual(new Set(members))
})
