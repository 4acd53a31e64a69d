/**
 * The scripts of the map, its land and its places, which the build has put into `dist/map`. In: the files. Out: their
 * paths, and what is served there; neither in a checkout that was not built, where pages are shown without the map.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { type Asset, toAsset, toCompressedAsset } from './asset.ts'

export interface MapFiles {
  scriptPath: string
  feedPath: string
  /** By resolution. */
  land: Record<string, string>
  /** By kind. */
  places: Record<string, string>
}

const resolutions = ['110m', '50m', '10m'] as const
const placeKinds = ['large', 'small', 'airports'] as const
const folder = new URL('./', toUrl('air.js'))

const files = existsSync(new URL('air.js', folder)) ? readFiles() : undefined

export const mapFiles: MapFiles | undefined = files && {
  scriptPath: files.script.path,
  feedPath: files.feed.path,
  land: Object.fromEntries(resolutions.map((name, index) => [name, files.land[index]?.path ?? ''])),
  places: Object.fromEntries(placeKinds.map((name, index) => [name, files.places[index]?.path ?? ''])),
}

/** A worker has the policy of its own script. */
export const mapHeaders = { 'Content-Security-Policy': "default-src 'none'; connect-src 'self'" }

export const mapAssets: readonly Asset[] = files ? [files.script, files.feed, ...files.land, ...files.places] : []

function readFiles() {
  return {
    script: toScript('air.js'),
    feed: toScript('air-feed.js'),
    land: resolutions.map((name) => toData(`land-${name}`)),
    places: placeKinds.map(toData),
  }
}

function toData(name: string): Asset {
  const brotli = readFileSync(new URL(`${name}.br`, folder))
  return toCompressedAsset({ path: toPath(brotli, name), type: 'application/octet-stream', brotli })
}

function toScript(name: string): Asset {
  const plain = readFileSync(new URL(name, folder))
  return toAsset({ path: toPath(plain, name), type: 'text/javascript; charset=utf-8', plain })
}

function toPath(content: Buffer, name: string): string {
  return `/posrep-assets/${createHash('sha256').update(content).digest('hex').slice(0, 16)}/${name}`
}

function toUrl(name: string): string {
  // From the sources: the same folder as when published.
  return import.meta.url.endsWith('.ts')
    ? new URL(`../../dist/map/${name}`, import.meta.url).href
    : import.meta.resolve(`#map/${name}`)
}
