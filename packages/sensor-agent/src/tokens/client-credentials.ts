/**
 * Device tokens for a sensor beside which a secret can be kept.
 * In: the client's credentials and the sensor's local ID. Out: a token source. It asks anew whenever it needs a token:
 * nothing has to survive a restart, and a refresh token that died makes no difference.
 * See the specification, Device token request.
 */
import { checkNumber, checkOrigin, checkText } from '../check-option.ts'
import { AgentError } from '../errors.ts'
import { type Clock, type Fetch, systemClock, systemFetch } from '../ports.ts'
import { type HeldToken, isFresh, orStillValid, toHeldToken } from './held-token.ts'
import { requestTokens } from './request-tokens.ts'
import { createSharedTask } from './shared-task.ts'
import type { TokenSource } from './token-source.ts'

export interface ClientCredentialsOptions {
  /** Base address of the identity provider, `{auth_url}`. HTTPS, or HTTP on this machine. */
  authOrigin: URL
  clientId: string
  clientSecret: string
  /** Local ID of the sensor, as it was registered. */
  localId: string
  /** Longest wait for an answer, in ms. Default 10_000. */
  deadlineMs?: number
  clock?: Clock
  fetch?: Fetch
}

/**
 * @throws AgentError, from `get` and `refresh`: `credentials_refused` when the service knows no such client, secret or
 * sensor; `token_unavailable` when it cannot be reached or is too busy.
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
  let held: HeldToken | undefined

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
        held = toHeldToken(answer.tokens, clock.now())
        return held
      case 'refused':
        throw new AgentError(
          'credentials_refused',
          `${answer.reason}; check client "${clientId}", its secret and sensor "${localId}"`,
        )
      case 'unavailable':
        throw new AgentError('token_unavailable', answer.reason, { retryAfterMs: answer.retryAfterMs })
    }
  })

  return {
    async get(signal) {
      const token = held && isFresh(held, clock.now()) ? held : await orStillValid(exchange(signal), held, clock.now)
      return token.accessToken
    },
    async refresh(stale, signal) {
      const token = held && held.accessToken !== stale ? held : await exchange(signal)
      return token.accessToken
    },
  }
}
