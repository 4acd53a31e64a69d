/**
 * Loads places as they are needed: those of large cities first, small ones when the map is close enough to show them.
 * In: the addresses of the files by name, and scales. Out: what has arrived.
 */
import { createFileLoader } from './file-loader.ts'
import { type PlaceGroup, readPlaces, toZoom } from './places.ts'

export type PlaceFile = 'large' | 'small' | 'airports'

/** A little before the file's first place is shown. */
const files: [name: PlaceFile, fromZoom: number][] = [
  ['large', 2.5],
  ['airports', 6.5],
  ['small', 7.5],
]

export function createPlaceFiles(
  addresses: Partial<Record<PlaceFile, string>>,
  onLoaded: (groups: PlaceGroup[]) => void,
): (scale: number) => void {
  const load = createFileLoader(addresses, (name, bytes) => onLoaded(readPlaces(bytes, name === 'airports')))
  return (scale) => {
    for (const [name, fromZoom] of files) if (toZoom(scale) >= fromZoom) load(name)
  }
}
