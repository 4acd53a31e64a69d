import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readOwnMap } from '../../src/composition/own-map.ts'

/** Returns the path of `map.json` in a folder with these files. */
async function someFiles(files: Record<string, unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-map-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), JSON.stringify(content))
  return join(folder, 'map.json')
}

test('an own map has tiles, a notice, and the GeoJSON file that lies beside it', async () => {
  const tiles = 'https://tiles.example.com/{z}/{x}/{y}.png'
  const coast = { type: 'LineString', coordinates: [] }
  const map = { tiles, notice: '© Example', basemap: 'coast.geojson' }

  const own = await readOwnMap(await someFiles({ 'map.json': map, 'coast.geojson': coast }))

  expect(own).toEqual({ tiles, notice: '© Example', basemap: Buffer.from(JSON.stringify(coast)) })
})

test('without a file there is no own map', async () => {
  expect(await readOwnMap(undefined)).toEqual({})
})

describe('a wrong setting is', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['a map file that is missing', {}, 'map.json" cannot be read: ENOENT'],
    ['a list', { 'map.json': [] }, 'at the top: must be an object, not a list'],
    [
      'a misspelt member',
      { 'map.json': { tile: '' } },
      'at tile: there is no such key; allowed are tiles, basemap, notice',
    ],
    [
      'an address of tiles without places',
      { 'map.json': { tiles: 'https://a.example/{z}/{x}' } },
      'at tiles: must be a URL',
    ],
    ['tiles of a file', { 'map.json': { tiles: 'file:///{z}/{x}/{y}' } }, 'at tiles: must be a URL'],
    ['an empty notice', { 'map.json': { notice: '' } }, 'at notice: must be a text of at least one character'],
    ['a basemap that is missing', { 'map.json': { basemap: 'a.json' } }, 'a.json", cannot be read: ENOENT'],
    ['a basemap without a type', { 'map.json': { basemap: 'a.json' }, 'a.json': [1] }, 'a.json", must be GeoJSON'],
  ])('%s', async (_what, files, message) => {
    const file = await someFiles(files)
    await expect(readOwnMap(file)).rejects.toMatchObject({
      name: 'SettingsError',
      message: expect.stringContaining(message),
    })
  })
})
