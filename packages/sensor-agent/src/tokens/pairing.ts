/**
 * Provides device tokens for a headless sensor: a user presses Pair in the portal, and the sensor fetches its tokens
 * within 60 s.
 * In: the sensor's local ID. Out: a token source that pairs when it has no tokens, refreshes them, and pairs again when
 * the refresh token is no longer valid. Refreshed tokens are stored before they are used; when that fails, it rejects
 * once, and then they are used from memory, because the service has replaced the earlier ones, while each call tries to
 * store them again. Processes may share a store: each takes over what another one has stored, and one at a time
 * refreshes. See the specification, PairingToken and Device authentication; the refresh grant with `client_id` alone is
 * an addition of this toolkit.
 */
import { checkNumber, checkOrigin, checkText } from '../check-option.ts'
import { AgentError } from '../errors.ts'
import { systemFetch } from '../network/system-fetch.ts'
import { type Clock, type Fetch, type Random, systemClock, systemRandom } from '../ports.ts'
import { createAlarmPrinter } from '../print-alarm.ts'
import { isFresh, renewedOrStillValid, toAccessToken } from './access-token.ts'
import { readClaims } from './claims.ts'
import { consumePairingToken } from './consume-pairing-token.ts'
import { requestTokens } from './request-tokens.ts'
import { createSharedTask } from './shared-task.ts'
import type { TokenSource } from './token-source.ts'
import { memoryTokenStore, type PairedTokens, type TokenStore } from './token-store.ts'

export interface PairingOptions {
  /** Base address of the surveillance ingest, `{base_url}`. HTTPS, or HTTP on this machine. */
  ingestOrigin: URL
  /** Local ID under which the sensor is registered. */
  localId: string
  /** Base address of the identity provider, `{auth_url}`, for the refresh. Default: the issuer of the device token. */
  authOrigin?: URL
  /** Time between two polls, in ms, varied by up to a tenth. At least 200. Default 1_000. */
  pollMs?: number
  /** Longest wait for a user to press Pair, in ms. Default: no limit. */
  timeoutMs?: number
  /** Stores the tokens. Default: in memory, so that the sensor must be paired again after a restart. */
  store?: TokenStore
  /** Longest wait for a response, in ms. Default 10_000. */
  deadlineMs?: number
  /**
   * Receives why a poll brought no tokens: nobody has pressed Pair yet, or the service cannot be reached. Default: each
   * reason is printed on standard error, at most once an hour.
   */
  onPending?: (reason: string) => void
  clock?: Clock
  fetch?: Fetch
  random?: Random
}

export interface PairingTokenSource extends TokenSource {
  /** Resolves when the sensor is paired. Rejects with the same errors as `get`. */
  pair(signal?: AbortSignal): Promise<{ sensorId: string }>
}

/**
 * @throws AgentError, from `get`, `pair` and `refresh`: `pairing_expired` after `timeoutMs`; `pairing_denied` when the
 * service refuses the local ID; `pairing_lost` when the refresh token is no longer valid (the next call pairs again);
 * `service_unreachable` when it does not answer; `token_unavailable` when it is too busy.
 * @example
 * ```ts
 * import { fileTokenStore, pairing } from '@posrep/sensor-agent'
 *
 * export const tokens = pairing({
 *   ingestOrigin: new URL('https://localhost:8443'),
 *   localId: 'roof2',
 *   store: fileTokenStore('roof2.tokens'),
 * })
 * ```
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
  onPending = createPendingPrinter(localId, clock),
  fetch = systemFetch,
  random = systemRandom,
}: PairingOptions): PairingTokenSource {
  checkOrigin('ingestOrigin', ingestOrigin)
  if (authOrigin) checkOrigin('authOrigin', authOrigin)
  checkText('localId', localId)
  checkNumber('pollMs', pollMs, 200)
  checkNumber('timeoutMs', timeoutMs, 0)
  checkNumber('deadlineMs', deadlineMs, 1)
  let current: PairedTokens | undefined
  let isStored = true

  const pairOnce = createSharedTask(async (signal) => {
    const startedAtMs = clock.elapsed()
    for (;;) {
      // Also in each round: another process may have got the tokens.
      current ??= await store.read()
      if (current) return current
      const answer = await consumePairingToken(localId, { ingestOrigin, clock, fetch, deadlineMs })
      if (answer.kind === 'paired') return keep(answer.tokens)
      if (answer.kind === 'denied') throw new AgentError('pairing_denied', answer.reason)
      onPending(answer.reason)

      const waitMs = Math.max(pollMs * (0.9 + random() * 0.2), answer.kind === 'wait' ? answer.afterMs : 0)
      if (clock.elapsed() + waitMs > startedAtMs + timeoutMs) {
        throw new AgentError(
          'pairing_expired',
          `No pairing request for "${localId}" within ${timeoutMs / 1_000} s (${answer.reason}); press Pair in the portal and try again`,
        )
      }
      // Only the wait can be aborted, not the request: its response may contain the tokens.
      await clock.sleep(waitMs, signal)
      signal.throwIfAborted()
    }
  })

  const refreshOnce = createSharedTask(() => locked(refreshStored))

  async function refreshStored(): Promise<PairedTokens> {
    const known = current
    // Tokens that could not be stored are newer than those of the store.
    if (isStored) current = await readAgain()
    if (!current) {
      const message = `Sensor "${localId}" has no tokens any more; press Pair in the portal`
      throw new AgentError('pairing_lost', message)
    }
    if (current.accessToken !== known?.accessToken && isFresh(current, clock.now())) return current
    const { clientId, issuer } = readClaims(current.accessToken)
    const { refreshToken } = current
    const answer = await requestTokens(
      { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId },
      { authOrigin: authOrigin ?? issuer(), clock, fetch, deadlineMs },
    )
    switch (answer.kind) {
      case 'granted': {
        const { refresh_token = refreshToken } = answer.tokens
        return keep({ ...current, ...toAccessToken(answer.tokens, clock.now()), refreshToken: refresh_token })
      }
      case 'refused':
        if (answer.status !== 401 && answer.error !== 'invalid_grant') {
          throw new AgentError('credentials_refused', `${answer.reason}; sensor "${localId}" keeps its tokens`)
        }
        // The lock may have been broken, and the tokens replaced meanwhile; those are not deleted.
        if (isStored) current = await readAgain()
        if (current && current.refreshToken !== refreshToken) return current
        await store.clear()
        current = undefined
        isStored = true
        throw new AgentError('pairing_lost', `${answer.reason}; press Pair in the portal for sensor "${localId}"`)
      case 'unavailable':
        throw answer.error
    }
  }

  const storeOnce = createSharedTask(async () => {
    const tokens = current
    if (!tokens || isStored) return
    await store.write(tokens)
    if (tokens === current) isStored = true
  })

  return {
    async get(signal) {
      await storeLate(signal)
      const tokens = current ?? (await pairOnce(signal))
      if (isFresh(tokens, clock.now())) return tokens.accessToken
      return (await renewedOrStillValid(refreshOnce(signal), tokens, clock.now)).accessToken
    },
    async refresh(stale, signal) {
      await storeLate(signal)
      const tokens = current ?? (await pairOnce(signal))
      return (tokens.accessToken !== stale ? tokens : await refreshOnce(signal)).accessToken
    },
    async pair(signal) {
      const { sensorId } = current ?? (await pairOnce(signal))
      return { sensorId }
    },
  }

  function locked<T>(task: () => Promise<T>): Promise<T> {
    return store.lock ? store.lock(task) : task()
  }

  /** The tokens of the store. On a disk that cannot be read, those in memory are used. */
  async function readAgain(): Promise<PairedTokens | undefined> {
    try {
      return await store.read()
    } catch (error) {
      if (error instanceof AgentError) throw error
      return current
    }
  }

  async function keep(tokens: PairedTokens): Promise<PairedTokens> {
    current = tokens
    isStored = false
    // It may join a call that stores the tokens before these.
    while (!isStored) await storeOnce()
    return tokens
  }

  /** Waits for the tokens that are being stored. A failure was told when they came. */
  async function storeLate(signal: AbortSignal | undefined): Promise<void> {
    if (isStored) return
    await storeOnce(signal).catch(() => undefined)
    signal?.throwIfAborted()
  }
}

function createPendingPrinter(localId: string, clock: Clock): (reason: string) => void {
  const print = createAlarmPrinter(clock)
  return (reason) => print({ code: 'not_paired', message: `sensor "${localId}" waits for Pair: ${reason}` })
}
