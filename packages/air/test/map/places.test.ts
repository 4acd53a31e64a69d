import { expect, test } from 'vitest'
import { readAirports, readCities, toPlaceBytes } from '../../build/places.ts'
import { readPlaces } from '../../src/map/draw/ground/places.ts'
import { toLat, toLon } from '../../src/map/model/mercator.ts'

const cities = readPlaces(toPlaceBytes(readCities()), false)
const airports = readPlaces(toPlaceBytes(readAirports()), true)

/** The zoom of a place, and where it is. */
function find(groups: typeof cities, name: string) {
  for (const { zoom, points, names } of groups) {
    const index = names.indexOf(name)
    const [x = 0, y = 0] = points.subarray(index * 2, index * 2 + 2)
    if (index >= 0) return { zoom, lat: toLat(y), lon: toLon(x) }
  }
  return undefined
}

test.each([
  ['Tokyo', cities, 3, 35.69, 139.69],
  ['Helsinki', cities, 6, 60.17, 24.94],
  ['Vantaa', cities, 7, 60.29, 25.04],
  ['Porvoo', cities, 9, 60.39, 25.67],
  ['EFHK Helsinki Vantaa Airport', airports, 7, 60.317, 24.963],
  ['EFTU Turku Airport', airports, 9, 60.514, 22.263],
] as const)('%s is where it is on the ground, from its zoom on', (name, groups, zoom, lat, lon) => {
  expect(find([...groups], name)).toEqual({ zoom, lat: expect.closeTo(lat, 2), lon: expect.closeTo(lon, 2) })
})

test('every place has a name, and every zoom is there once, from the far one to the close one', () => {
  for (const groups of [cities, airports]) {
    const zooms = groups.map(({ zoom }) => zoom)
    expect(zooms).toEqual([...new Set(zooms)].sort((a, b) => a - b))
    for (const { points, names } of groups) expect(names.filter(Boolean)).toHaveLength(points.length / 2)
  }
})
