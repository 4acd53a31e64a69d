import type { AirArea } from '@posrep/spec'
import { expect, test } from 'vitest'
import { toActiveIds } from '../../src/map/model/areas.ts'

const [from, to] = ['2026-01-07T12:00:00Z', '2026-01-07T13:00:00Z']
const anArea = (id: string, active?: AirArea['properties']['active']): AirArea => ({
  type: 'Feature',
  id,
  properties: { name: id, ...(active && { active }) },
  geometry: { type: 'Polygon', coordinates: [] },
})
const areas = [anArea('always'), anArea('at noon', [{ from, to }])]

test.each([
  ['before its time', Date.parse(from) - 1, ['always']],
  ['from its first moment on', Date.parse(from), ['always', 'at noon']],
  ['no longer at its end', Date.parse(to), ['always']],
])('an area is active %s as its times say', (_name, atMs, expected) => {
  expect(JSON.parse(toActiveIds(areas, atMs))).toEqual(expected)
})
