/**
 * Serves the scripts of the map and its land, which the build has put into `dist/map`. Each path contains a hash of the content, so
 * browsers may cache it forever. In: the files. Out: their paths, and a router; neither in a checkout that was not built, where
 * pages are shown without the map.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { Router } from 'express'

interface MapFile {
  path: string
  type: string
  brotli: Buffer
}

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

export function createMapAssets(): Router {
  const router = Router({ caseSensitive: true, strict: true })
  for (const { path, type, brotli } of files ? [files.script, files.feed, ...files.land] : []) {
    router.get(path, (request, response) => {
      response.set({
        'Content-Type': type,
        'Cache-Control': 'public, max-age=31536000, immutable',
        'X-Content-Type-Options': 'nosniff',
        // A worker has the policy of its own script.
        'Content-Security-Policy': "default-src 'none'; connect-src 'self'",
        Vary: 'Accept-Encoding',
      })
      if (!request.acceptsEncodings('br')) return void response.send(brotliDecompressSync(brotli))
      response.set('Content-Encoding', 'br').send(brotli)
    })
  }
  return router
}

function readFiles() {
  return {
    script: toScript('air.js'),
    feed: toScript('air-feed.js'),
    land: resolutions.map((name): MapFile => {
      const brotli = readFileSync(new URL(`land-${name}.br`, folder))
      return { path: toPath(brotli, `land-${name}`), type: 'application/octet-stream', brotli }
    }),
  }
}

function toScript(name: string): MapFile {
  const plain = readFileSync(new URL(name, folder))
  return { path: toPath(plain, name), type: 'text/javascript; charset=utf-8', brotli: brotliCompressSync(plain) }
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
