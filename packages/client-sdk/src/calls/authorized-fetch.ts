/**
 * Sends requests with an access token.
 * In: a request to one of the service's origins. Out: its response. After a 401 the request is sent once more with a
 * new token. See the specification, § User login, rules 4 and 5.
 */

import { abortable } from '@posrep/kernel/abortable'
import { keepSignal } from '@posrep/kernel/keep-signal'
import { ApiError } from '../errors.ts'
import type { Origins } from '../origins.ts'
import type { Fetch } from '../ports.ts'
import { toNoResponse } from '../request/no-response.ts'
import { toDetails } from '../request/response-details.ts'
import { copyOf, toServiceRequest } from './service-request.ts'

/** Returns the access token. With `staleToken`, returns a newer one if there is one. */
export type GetToken = (staleToken?: string) => string | Promise<string>

export interface AuthorizedFetchOptions {
  /** Requests to other origins are not sent. */
  origins: Origins
  getToken: GetToken
  /** Whether the operation with this path needs the token. Others are sent without it. */
  needsToken(path: string): boolean
  fetch: Fetch
}

/** A request that has an `Authorization` header is sent as it is. */
export function createAuthorizedFetch({ origins, getToken, needsToken, fetch }: AuthorizedFetchOptions): Fetch {
  const allowed = Object.values(origins)

  return async (request, init) => {
    // The URL of a request is normalised, so its origin is the text before the path.
    const origin = allowed.find((one) => request.url.startsWith(`${one}/`))
    if (origin === undefined) {
      throw new ApiError('foreign_origin', `"${request.url}" is not at an origin of the service`)
    }
    const [path = ''] = request.url.slice(origin.length).split(/[?#]/, 1)
    const own = toServiceRequest(request)
    return own.headers.has('authorization') || !needsToken(path) ? send(own, init) : sendWithToken(own, init)
  }

  async function sendWithToken(request: Request, init: Parameters<Fetch>[1]): Promise<Response> {
    const token = await getToken()
    const response = await send(withToken(request, token), init)
    if (response.status !== 401) return response
    const fresh = await abortable(getToken(token), request.signal)
    if (fresh === token) return response
    await response.body?.cancel()
    const copy = copyOf(request)
    if (!copy) {
      const { method, url } = request
      throw new ApiError(
        'stream_not_replayable',
        `${method} ${url} was answered 401, and a stream is sent once`,
        toDetails(response, 0),
      )
    }
    return send(withToken(copy, fresh), init)
  }

  /** A connection that the service or a proxy has just closed shows when it is used again; a GET changes nothing. */
  async function send(
    request: Request,
    init: Parameters<Fetch>[1],
    isRepeatable = request.method === 'GET',
  ): Promise<Response> {
    try {
      return await fetch(keepSignal(request), init)
    } catch (cause) {
      if ((init ?? request).signal.aborted) throw cause
      if (isRepeatable) return send(request, init, false)
      const message = `${request.method} ${request.url} ${toNoResponse(cause)}; try again later`
      throw new ApiError('unreachable', message, { cause })
    }
  }
}

function withToken(request: Request, token: string): Request {
  request.headers.set('authorization', `Bearer ${token}`)
  return request
}
