/**
 * Device tokens for a headless sensor: a person presses Pair in the portal, the sensor comes within 60 seconds and gets them.
 * In: the sensor's local ID. Out: a token source that pairs when it has no tokens, refreshes them while it can, and pairs
 * again when the refresh token has died. A rotated pair is stored before it is used.
 * See the specification, PairingToken and Device authentication; the refresh grant with `client_id` alone is the toolkit's.
 */
import { checkNumber, checkOrigin, checkText } from '../check-option.ts'
import { AgentError } from '../errors.ts'
import { type Clock, type Fetch, type Random, systemClock, systemFetch, systemRandom } from '../ports.ts'
import { readClaims } from './claims.ts'
import { consumePairingToken } from './consume-pairing-token.ts'
import { isFresh, orStillValid, toHeldToken } from './held-token.ts'
import { requestTokens } from './request-tokens.ts'
import { createSharedTask } from './shared-task.ts'
import type { TokenSource } from './token-source.ts'
import { memoryTokenStore, type PairedTokens, type TokenStore } from './token-store.ts'

export interface PairingOptions {
  /** Base address of the surveillance ingest, `{base_url}`. HTTPS, or HTTP on this machine. */
  ingestOrigin: URL
  /** Local ID of the sensor, as it was registered. */
  localId: string
  /** Base address of the identity provider, `{auth_url}`, for the refresh. Default: the issuer that the device token names. */
  authOrigin?: URL
  /** Time from poll to poll while waiting for a person, in ms; each is moved by up to a tenth. At least 200. Default 1_000. */
  pollMs?: number
  /** How long to wait for a person, in ms. Default: for ever. */
  timeoutMs?: number
  /** Where the tokens are kept. Default: in memory, so that a restart means pairing again. */
  store?: TokenStore
  /** Longest wait for an answer, in ms. Default 10_000. */
  deadlineMs?: number
  clock?: Clock
  fetch?: Fetch
  random?: Random
}

export interface PairingTokenSource extends TokenSource {
  /** Resolves once the sensor is paired, at once if it is already. Rejects as `get` does. */
  pair(signal?: AbortSignal): Promise<{ sensorId: string }>
}

/**
 * @throws AgentError, from `get`, `pair` and `refresh`: `pairing_expired` after `timeoutMs`; `pairing_denied` when the
 * service refuses the local ID; `pairing_lost` when the refresh token is dead (the next call pairs again);
 * `token_unavailable` when there is no answer for now.
 */
export function pairing({
  ingestOrigin,
  localId,
  authOrigin,
  pollMs = 1_000,
  timeoutMs = Number.POSITIVE_INFINITY,
  store = memoryTokenStore(),
  deadlineMs = 10_000,
  clock = systemClock,
  fetch = systemFetch,
  random = systemRandom,
}: PairingOptions): PairingTokenSource {
  checkOrigin('ingestOrigin', ingestOrigin)
  if (authOrigin) checkOrigin('authOrigin', authOrigin)
  checkText('localId', localId)
  checkNumber('pollMs', pollMs, 200)
  checkNumber('timeoutMs', timeoutMs, 0)
  checkNumber('deadlineMs', deadlineMs, 1)
  let held: PairedTokens | undefined

  const pairOnce = createSharedTask(async (signal) => {
    held ??= await store.read()
    if (held) return held
    const startedAtMs = clock.now()
    for (;;) {
      const answer = await consumePairingToken(localId, { ingestOrigin, clock, fetch, deadlineMs })
      if (answer.kind === 'paired') return keep(answer.tokens)
      if (answer.kind === 'denied') throw new AgentError('pairing_denied', answer.reason)

      const waitMs = Math.max(pollMs * (0.9 + random() * 0.2), answer.kind === 'wait' ? answer.afterMs : 0)
      if (clock.now() + waitMs > startedAtMs + timeoutMs) {
        throw new AgentError(
          'pairing_expired',
          `No pairing request for "${localId}" within ${timeoutMs / 1_000} s (${answer.reason}); press Pair in the portal and try again`,
        )
      }
      // Only the waiting is interrupted: an answer that is under way may hold the tokens.
      await clock.sleep(waitMs, signal)
      signal.throwIfAborted()
    }
  })

  const refreshOnce = createSharedTask(async () => {
    if (!held) throw new AgentError('pairing_lost', `Sensor "${localId}" has no tokens; pair it`)
    const { clientId, issuer } = readClaims(held.accessToken)
    const answer = await requestTokens(
      { grant_type: 'refresh_token', refresh_token: held.refreshToken, client_id: clientId },
      { authOrigin: authOrigin ?? issuer(), clock, fetch, deadlineMs },
    )
    switch (answer.kind) {
      case 'granted': {
        const { refresh_token = held.refreshToken } = answer.tokens
        return keep({ ...held, ...toHeldToken(answer.tokens, clock.now()), refreshToken: refresh_token })
      }
      case 'refused':
        if (answer.status !== 401 && answer.error !== 'invalid_grant') {
          throw new AgentError('credentials_refused', `${answer.reason}; the tokens of sensor "${localId}" are kept`)
        }
        await store.clear()
        held = undefined
        throw new AgentError('pairing_lost', `${answer.reason}; press Pair in the portal for sensor "${localId}"`)
      case 'unavailable':
        throw new AgentError('token_unavailable', answer.reason, { retryAfterMs: answer.retryAfterMs })
    }
  })

  return {
    async get(signal) {
      const tokens = held ?? (await pairOnce(signal))
      if (isFresh(tokens, clock.now())) return tokens.accessToken
      return (await orStillValid(refreshOnce(signal), tokens, clock.now)).accessToken
    },
    async refresh(stale, signal) {
      const tokens = held ?? (await pairOnce(signal))
      return (tokens.accessToken !== stale ? tokens : await refreshOnce(signal)).accessToken
    },
    async pair(signal) {
      const { sensorId } = held ?? (await pairOnce(signal))
      return { sensorId }
    },
  }

  async function keep(tokens: PairedTokens): Promise<PairedTokens> {
    await store.write(tokens)
    held = tokens
    return tokens
  }
}
