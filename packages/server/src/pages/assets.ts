/** Serves the stylesheet and scripts of the pages. Each path contains a hash of the content, so browsers may cache it forever. */
import { Router } from 'express'
import { stylesheet, stylesheetPath } from './style/stylesheet.ts'

/** @param more Further assets besides the stylesheet: path → media type and text. */
export function createAssets(more: Record<string, { type: string; text: string }> = {}): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const all = { [stylesheetPath]: { type: 'text/css', text: stylesheet }, ...more }
  for (const [path, { type, text }] of Object.entries(all)) {
    router.get(path, (_request, response) => {
      response.set({
        'Content-Type': `${type}; charset=utf-8`,
        'Cache-Control': 'public, max-age=31536000, immutable',
        'X-Content-Type-Options': 'nosniff',
      })
      response.send(text)
    })
  }
  return router
}
