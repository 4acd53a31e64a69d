/** Serves what the pages load beside themselves. Each file is named after its content, so that it can be kept for ever. */
import { Router } from 'express'
import { stylesheet, stylesheetPath } from './stylesheet.ts'

/** @param more Path → media type and text, beside the stylesheet. */
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
