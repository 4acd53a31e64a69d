/**
 * Counts the refreshes of all tabs of a browser, as they leave it. In: the browser, the service's origin. Out: counts
 * that grow.
 */
import type { BrowserContext, Request } from 'playwright-core'

export interface Refreshes {
  /** Refresh tokens that were used. */
  used: number
  /** Requests with a token that was used before. */
  repeated: number
  /** Answers other than 200. */
  refused: number
}

export function countRefreshes(context: BrowserContext, origin: string): Refreshes {
  const tokens = new Set<string>()
  const refreshes = { used: 0, repeated: 0, refused: 0 }
  context.on('request', (request) => {
    const token = findRefreshToken(request)
    if (token === null) return
    refreshes[tokens.has(token) ? 'repeated' : 'used'] += 1
    tokens.add(token)
  })
  context.on('response', (response) => {
    if (findRefreshToken(response.request()) !== null && response.status() !== 200) refreshes.refused += 1
  })
  return refreshes

  function findRefreshToken(request: Request): string | null {
    if (request.url() !== `${origin}/oauth/v2/token`) return null
    return new URLSearchParams(request.postData() ?? '').get('refresh_token')
  }
}
