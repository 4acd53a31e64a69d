/**
 * Provides device tokens for a sensor that can store a client secret.
 * In: the client's credentials and the sensor's local ID. Out: a token source. It uses no refresh token: each new token
 * comes from the client credentials, so nothing is stored across restarts.
 * See the specification, Device token request.
 */
import { checkNumber, checkOrigin, checkText } from '../check-option.ts'
import { AgentError } from '../errors.ts'
import { systemFetch } from '../network/system-fetch.ts'
import { type Clock, type Fetch, systemClock } from '../ports.ts'
import { type AccessToken, isFresh, renewedOrStillValid, toAccessToken } from './access-token.ts'
import { requestTokens } from './request-tokens.ts'
import { createSharedTask } from './shared-task.ts'
import type { TokenSource } from './token-source.ts'

export interface ClientCredentialsOptions {
  /** Base address of the identity provider, `{auth_url}`. HTTPS, or HTTP on this machine. */
  authOrigin: URL
  clientId: string
  clientSecret: string
  /** Local ID under which the sensor is registered. */
  localId: string
  /** Longest wait for a response, in ms. Default 10_000. */
  deadlineMs?: number
  clock?: Clock
  fetch?: Fetch
}

/**
 * @throws AgentError, from `get` and `refresh`: `credentials_refused` when the client, its secret or the sensor is
 * unknown; `service_unreachable` when it does not answer; `token_unavailable` when it is too busy.
 * @example
 * ```ts
 * import { clientCredentials } from '@posrep/sensor-agent'
 *
 * export const tokens = clientCredentials({
 *   authOrigin: new URL('https://localhost:8443'),
 *   clientId: 'fleet',
 *   clientSecret: 's3cret',
 *   localId: 'roof1',
 * })
 * ```
 */
export function clientCredentials({
  authOrigin,
  clientId,
  clientSecret,
  localId,
  deadlineMs = 10_000,
  clock = systemClock,
  fetch = systemFetch,
}: ClientCredentialsOptions): TokenSource {
  checkOrigin('authOrigin', authOrigin)
  checkText('clientId', clientId)
  checkText('clientSecret', clientSecret)
  checkText('localId', localId)
  checkNumber('deadlineMs', deadlineMs, 1)
  let current: AccessToken | undefined

  const exchange = createSharedTask(async () => {
    const answer = await requestTokens(
      {
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
        scope: 'surveillance_api',
        token_format: 'jwt',
        device_id: localId,
      },
      { authOrigin, clock, fetch, deadlineMs },
    )
    switch (answer.kind) {
      case 'granted':
        current = toAccessToken(answer.tokens, clock.now())
        return current
      case 'refused':
        throw new AgentError(
          'credentials_refused',
          `${answer.reason}; check client "${clientId}", its secret and sensor "${localId}"`,
        )
      case 'unavailable':
        throw answer.error
    }
  })

  return {
    async get(signal) {
      const token =
        current && isFresh(current, clock.now())
          ? current
          : await renewedOrStillValid(exchange(signal), current, clock.now)
      return token.accessToken
    },
    async refresh(stale, signal) {
      const token = current && current.accessToken !== stale ? current : await exchange(signal)
      return token.accessToken
    },
  }
}
