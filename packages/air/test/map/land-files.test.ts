import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadBasemap } from '../../src/map/draw/ground/land-files.ts'
import { toLat, toLon } from '../../src/map/model/mercator.ts'

let server: Server
let content = ''
let address: string
beforeEach(async () => {
  server = createServer((_request, response) => response.end(content))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterEach(() => void server.close())

test('a line of the own map is where it was given, to a millimetre', async () => {
  const [lon, lat] = [-121.904_321_987, 36.712_345_678]
  content = JSON.stringify({ type: 'LineString', coordinates: [[lon, lat]] })
  const [line] = await loadBasemap(address)
  const [x = 0, y = 0] = line?.points ?? []
  expect([toLon(x), toLat(y)]).toEqual([expect.closeTo(lon, 8), expect.closeTo(lat, 8)])
})

test.each([
  ['no JSON', '<html>'],
  ['no GeoJSON', '{"type":"FeatureCollection"}'],
])('an own map that is %s has no lines', async (_name, broken) => {
  content = broken
  expect(await loadBasemap(address)).toEqual([])
})
