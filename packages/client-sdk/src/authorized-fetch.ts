/**
 * Sends requests with the user's access token.
 * In: a request to the API's origin. Out: its response. After a 401 the request is sent once more with a new token.
 * See the specification, § User login, rules 4 and 5.
 */
import { ApiError } from './errors.ts'
import type { Fetch } from './ports.ts'

/** Returns the access token. With `staleToken`, returns a newer one if there is one. */
export type GetToken = (staleToken?: string) => string | Promise<string>

export interface AuthorizedFetchOptions {
  /** The token is sent only to this origin. */
  origin: string
  getToken: GetToken
  fetch: Fetch
}

export function createAuthorizedFetch({ origin, getToken, fetch }: AuthorizedFetchOptions): Fetch {
  return async (request) => {
    if (new URL(request.url).origin !== origin) {
      throw new ApiError('foreign_origin', `The token is for "${origin}" only, not for "${request.url}"`)
    }
    // A request's body can be read only once, so it is kept in memory for the second attempt.
    const body = mayHaveBody(request) ? await request.arrayBuffer() : undefined

    const token = await getToken()
    const response = await send(token)
    if (response.status !== 401) return response
    const fresh = await getToken(token)
    if (fresh === token) return response
    await response.body?.cancel()
    return send(fresh)

    async function send(token: string): Promise<Response> {
      const headers = new Headers(request.headers)
      headers.set('authorization', `Bearer ${token}`)
      const init: RequestInit = { headers, credentials: 'omit', redirect: 'manual', ...(body && { body }) }
      try {
        return await fetch(new Request(request, init))
      } catch (cause) {
        if (request.signal.aborted) throw cause
        throw new ApiError('unreachable', `${request.method} ${request.url} had no answer; try again later`, { cause })
      }
    }
  }
}

function mayHaveBody({ method }: Request): boolean {
  return method !== 'GET' && method !== 'HEAD'
}
