/**
 * A file that a page loads. Its path contains a hash of its content, so browsers may cache it forever.
 * In: the file, plain or compressed. Out: a route of the router. It is compressed at the first request for it, so that the server
 * starts quickly.
 */
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import type { Router } from 'express'

export interface Asset {
  path: string
  type: string
  plain(): Promise<Buffer>
  brotli(): Promise<Buffer>
}

/** Near the best compression, in a tenth of its time: the threads that compress also sign tokens. */
const quality = 9
const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

export function toAsset({ path, type, plain }: { path: string; type: string; plain: Buffer }): Asset {
  let compressed: Promise<Buffer> | undefined
  return {
    path,
    type,
    plain: async () => plain,
    brotli() {
      compressed ??= compress(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
      return compressed
    },
  }
}

export function toCompressedAsset({ path, type, brotli }: { path: string; type: string; brotli: Buffer }): Asset {
  return { path, type, plain: () => decompress(brotli), brotli: async () => brotli }
}

export function addAsset(
  router: Router,
  { path, type, plain, brotli }: Asset,
  headers: Record<string, string> = {},
): void {
  router.get(path, async (request, response) => {
    response.set({
      'Content-Type': type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding',
      ...headers,
    })
    if (!request.acceptsEncodings('br')) return void response.send(await plain())
    response.set('Content-Encoding', 'br').send(await brotli())
  })
}
