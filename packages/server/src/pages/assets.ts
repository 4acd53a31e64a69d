/**
 * Serves the stylesheet, the scripts and the icon of the pages. Each path contains a hash of the content, so browsers may cache
 * it forever. Compressed once, at the start.
 */
import { brotliCompressSync, constants } from 'node:zlib'
import { Router } from 'express'
import { icon, iconPath } from './icon.ts'
import { scripts } from './script.ts'
import { stylesheet, stylesheetPath } from './style/stylesheet.ts'

interface Asset {
  type: string
  plain: Buffer
  brotli: Buffer
}

const assets = new Map<string, Asset>([
  [stylesheetPath, toAsset('text/css; charset=utf-8', stylesheet)],
  [iconPath, toAsset('image/svg+xml', icon)],
  ...[...scripts].map(([path, text]): [string, Asset] => [path, toAsset('text/javascript; charset=utf-8', text)]),
])

export function createAssets(): Router {
  const router = Router({ caseSensitive: true, strict: true })
  for (const [path, { type, plain, brotli }] of assets) {
    router.get(path, (request, response) => {
      response.set({
        'Content-Type': type,
        'Cache-Control': 'public, max-age=31536000, immutable',
        'X-Content-Type-Options': 'nosniff',
        Vary: 'Accept-Encoding',
      })
      if (!request.acceptsEncodings('br')) return void response.send(plain)
      response.set('Content-Encoding', 'br').send(brotli)
    })
  }
  return router
}

function toAsset(type: string, text: string): Asset {
  const plain = Buffer.from(text)
  return { type, plain, brotli: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }) }
}
