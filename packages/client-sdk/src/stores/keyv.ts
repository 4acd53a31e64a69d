/**
 * Stores the tokens of one user of an app server in Keyv: in Redis with `@keyv/redis`, or in any other of Keyv's
 * stores. Sessions of one process wait for each other. Processes read the tokens again before and after a refresh, and
 * rely on a service that accepts a refresh token again for some seconds.
 */
import type { Keyv } from 'keyv'
import { checkNoOthers } from '../origins.ts'
import { isTokens } from '../session/tokens.ts'
import { createMutex, type Mutex } from './mutex.ts'
import type { TokenStore } from './token-store.ts'

export interface KeyvTokenStoreOptions {
  /**
   * `throwOnErrors` is set on it and on its adapter: otherwise Keyv reports an outage as "no tokens", and an outage
   * would sign users out.
   */
  keyv: Keyv
  /** One per user session, for example the id of the web server's session. */
  key: string
  /** After this time without a refresh the tokens are forgotten, in ms: 1 or more. Default 180 days. */
  ttlMs?: number
}

const mutexes = new WeakMap<Keyv, Map<string, { mutex: Mutex; users: number }>>()

/**
 * @throws TypeError for an empty `key` or an unknown option, RangeError for a wrong `ttlMs`
 *
 * @example
 * ```ts
 * import { keyvTokenStore } from '@posrep/client-sdk/keyv'
 * import Keyv from 'keyv'
 *
 * // One for each user, with the ID of the session as the key.
 * export const storeOf = (sessionId: string) => keyvTokenStore({ keyv: new Keyv(), key: sessionId })
 * ```
 */
export function keyvTokenStore({
  keyv,
  key,
  ttlMs = 180 * 24 * 3_600_000,
  ...others
}: KeyvTokenStoreOptions): TokenStore {
  checkNoOthers(others, 'keyvTokenStore')
  if (key === '') throw new TypeError('"key" must not be empty: all users would share it')
  if (!(Number.isInteger(ttlMs) && ttlMs >= 1)) throw new RangeError(`"ttlMs" must be 1 or more, got ${ttlMs}`)

  keyv.throwOnErrors = true
  if ('throwOnErrors' in keyv.store) keyv.store.throwOnErrors = true

  return {
    async read() {
      const value: unknown = await keyv.get(key)
      return isTokens(value) ? value : undefined
    },
    async write(tokens) {
      if (!(await keyv.set(key, tokens, ttlMs))) throw new Error('Keyv did not store the tokens')
    },
    async clear() {
      await keyv.delete(key)
    },
    async lock(task) {
      const waiting = waitingOf(keyv)
      const entry = waiting.get(key) ?? { mutex: createMutex(), users: 0 }
      waiting.set(key, entry)
      entry.users += 1
      try {
        return await entry.mutex(task)
      } finally {
        entry.users -= 1
        if (entry.users === 0) waiting.delete(key)
      }
    },
  }
}

function waitingOf(keyv: Keyv) {
  const waiting = mutexes.get(keyv) ?? new Map<string, { mutex: Mutex; users: number }>()
  mutexes.set(keyv, waiting)
  return waiting
}
