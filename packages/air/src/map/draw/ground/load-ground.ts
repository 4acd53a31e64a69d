/**
 * Loads what is below the targets.
 * In: the addresses of land, tiles and basemap. Out: what has arrived, in `ground`; and a function that looks whether
 * the scale of the map needs finer land, or more places.
 */
import type { Line } from './land.ts'
import { createLandFiles, loadBasemap } from './land-files.ts'
import { createPlaceFiles, type PlaceFile } from './place-files.ts'
import type { PlaceGroup } from './places.ts'
import { createTiles, type Tiles } from './tiles.ts'

export interface GroundAddresses {
  land?: Partial<Record<string, string>>
  places?: Partial<Record<PlaceFile, string>>
  tiles?: string | undefined
  basemap?: string | undefined
}

export interface LoadedGround {
  land: Line[]
  basemap: Line[]
  places: PlaceGroup[]
  tiles: Tiles | undefined
}

export interface LoadGroundOptions {
  ground: LoadedGround
  signal: AbortSignal
  /** Of the view. */
  scale(): number
  onChange(): void
}

const lookEveryMs = 300

export function loadGround(
  { land, places, tiles, basemap }: GroundAddresses,
  { ground, signal, scale, onChange }: LoadGroundOptions,
): () => void {
  const files = createLandFiles(land ?? {}, (lines) => {
    ground.land = lines
    onChange()
  })
  // Tiles have names of their own.
  const needPlaces = createPlaceFiles(tiles === undefined ? (places ?? {}) : {}, (groups) => {
    ground.places = [...ground.places, ...groups]
    onChange()
  })
  const needFiles = () => {
    files.need(scale())
    needPlaces(scale())
  }
  files.need(0)
  const timer = setInterval(needFiles, lookEveryMs)
  signal.addEventListener('abort', () => clearInterval(timer))
  if (tiles !== undefined) ground.tiles = createTiles(tiles, onChange)
  if (basemap !== undefined) {
    void loadBasemap(basemap).then((lines) => {
      ground.basemap = lines
      onChange()
    })
  }
  return needFiles
}
