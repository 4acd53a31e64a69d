/**
 * Serves the scripts of the map and its land, which the build has put into `dist/map`. In: the files. Out: their paths, and a
 * router; neither in a checkout that was not built, where pages are shown without the map.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { Router } from 'express'
import { type Asset, addAsset, toAsset, toCompressedAsset } from './asset.ts'

export interface MapFiles {
  scriptPath: string
  feedPath: string
  /** By resolution. */
  land: Record<string, string>
}

const resolutions = ['110m', '50m', '10m'] as const
const folder = new URL('./', toUrl('air.js'))

const files = existsSync(new URL('air.js', folder)) ? readFiles() : undefined

export const mapFiles: MapFiles | undefined = files && {
  scriptPath: files.script.path,
  feedPath: files.feed.path,
  land: Object.fromEntries(resolutions.map((name, index) => [name, files.land[index]?.path ?? ''])),
}

/** A worker has the policy of its own script. */
const headers = { 'Content-Security-Policy': "default-src 'none'; connect-src 'self'" }

export function createMapAssets(): Router {
  const router = Router({ caseSensitive: true, strict: true })
  for (const asset of files ? [files.script, files.feed, ...files.land] : []) addAsset(router, asset, headers)
  return router
}

function readFiles() {
  return {
    script: toScript('air.js'),
    feed: toScript('air-feed.js'),
    land: resolutions.map((name) => {
      const brotli = readFileSync(new URL(`land-${name}.br`, folder))
      return toCompressedAsset({ path: toPath(brotli, `land-${name}`), type: 'application/octet-stream', brotli })
    }),
  }
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
