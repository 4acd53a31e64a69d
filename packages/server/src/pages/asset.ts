/**
 * A file that a page loads. Its path contains a hash of its content, so browsers may cache it forever.
 * In: the file, plain or compressed. Out: the file in both forms. It is compressed, or inflated, at the first request
 * for it, so that the server starts quickly; all answers share the bytes.
 */
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'

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
  let plain: Promise<Buffer> | undefined
  return {
    path,
    type,
    plain() {
      plain ??= decompress(brotli)
      return plain
    },
    brotli: async () => brotli,
  }
}
