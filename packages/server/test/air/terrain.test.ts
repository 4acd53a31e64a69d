/** The integrator's terrain function, in the real server and its thread. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AirTrackList } from '@posrep/spec'
import { expect, onTestFinished, test, vi } from 'vitest'
import { guardTerrain } from '../../src/air/thread/terrain.ts'
import { aServer } from '../a-server.ts'
import { anAircraft } from './an-air.ts'

async function aModule(text: string): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-terrain-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'terrain.mjs')
  await writeFile(file, text)
  return pathToFileURL(file)
}

test('the terrain function converts a height above ground', async () => {
  const terrain = await aModule('export default (lat, lon) => (lat > 60 && lon > 23 ? 120 : undefined)')
  const server = await aServer({ terrain })
  onTestFinished(() => server.stop())
  const position = anAircraft('461F9C', server.clock.now(), { altitudes: [{ height: 300, datum: 'agl' }] })
  await server.fetch('/v1/position-reports', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await server.deviceToken('fleet', 'roof1')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ sensor: { id: 'roof1' }, positions: [position] }),
  })
  const token = await server.userToken()

  await vi.waitFor(
    async () => {
      await server.clock.advance(200)
      const { data } = (await (await server.get('/v1/air/tracks', token)).json()) as AirTrackList
      expect(data[0]?.altitudes).toContainEqual({
        height: 420,
        datum: 'msl',
        provenance: 'derived',
        from: 'agl, terrain',
      })
    },
    { interval: 20 },
  )
})

test.each([
  ['is missing', undefined, 'cannot be imported'],
  ['has no default export', 'export const terrain = () => 0', 'must be a function'],
  ['has a function that answers later', 'export default async () => 0', 'not a promise'],
  ['has a function that throws', 'export default () => { throw new Error("no tiles") }', 'no tiles'],
])('a module that %s is a wrong setting', async (_name, text, message) => {
  const terrain = text === undefined ? new URL('file:///nowhere/terrain.mjs') : await aModule(text)

  await expect(aServer({ terrain })).rejects.toMatchObject({
    name: 'SettingsError',
    message: expect.stringContaining(message),
  })
})

test('where the terrain function throws, the height is unknown, and that is told once', () => {
  const failures: unknown[] = []
  const terrain = guardTerrain(
    (latDegrees) => {
      if (latDegrees < 0) throw new Error('no tile')
      return 10
    },
    (error) => failures.push(error),
  )

  expect([terrain(-1, 0), terrain(1, 0), terrain(-2, 0)]).toEqual([undefined, 10, undefined])
  expect(failures).toEqual([new Error('no tile')])
})
