/** Serves the files that pages load. In: files, and further headers of their answers. Out: an Express router. */
import { Router } from 'express'
import { writeAnswer } from '../http/operation/answer.ts'
import type { Asset } from '../pages/asset.ts'

export function createAssetRouter(assets: readonly Asset[], further: Record<string, string> = {}): Router {
  const router = Router({ caseSensitive: true, strict: true })
  for (const { path, type, plain, brotli } of assets) {
    router.get(path, async (request, response) => {
      const isCompressed = request.acceptsEncodings('br') !== false
      const headers = {
        'Cache-Control': 'public, max-age=31536000, immutable',
        'X-Content-Type-Options': 'nosniff',
        Vary: 'Accept-Encoding',
        ...(isCompressed && { 'Content-Encoding': 'br' }),
        ...further,
      }
      const file = await (isCompressed ? brotli() : plain())
      await writeAnswer(response, { status: 200, headers, media: type, text: '', file })
    })
  }
  return router
}
