/**
 * Remembers message IDs in Keyv, for example in Redis, so that several receivers share them and a restart does not
 * forget them.
 * In: a Keyv and how long IDs are kept. Out: a store that fails when Keyv's adapter fails.
 * Keyv cannot set a value only if it is absent: two receivers that get one message at the same moment may both accept
 * it.
 */
import type { Keyv } from 'keyv'
import type { DeduplicationStore } from './deduplication-store.ts'

export interface KeyvStoreOptions {
  /**
   * The keys are the message IDs; give it a namespace if others use the same database. `throwOnErrors` is set on it and
   * on its adapter, because otherwise a database that fails looks like one that does not have the ID.
   */
  keyv: Keyv
  /**
   * How long an ID is kept, in ms; at least 1 minute. Default 48 hours: twice the time for which the service tries
   * again by default.
   */
  ttlMs?: number
}

const minuteMs = 60_000

/**
 * @example
 * ```ts
 * import { relayReceiver } from '@posrep/relay-receiver'
 * import { keyvStore } from '@posrep/relay-receiver/keyv'
 * import Keyv from 'keyv'
 *
 * export const receiver = relayReceiver({
 *   from: 'https://localhost:8443',
 *   devices: ['urn:aa:device:demo:roof1'],
 *   store: keyvStore({ keyv: new Keyv() }),
 *   onReport: ({ positions }) => console.log(positions),
 * })
 * ```
 */
export function keyvStore({ keyv, ttlMs = 48 * 60 * minuteMs }: KeyvStoreOptions): DeduplicationStore {
  // Keyv keeps a value without end if its time is 0, and @keyv/redis refuses fractions of a millisecond.
  if (!(Number.isSafeInteger(ttlMs) && ttlMs >= minuteMs)) {
    throw new RangeError(`"ttlMs" must be a whole number of at least ${minuteMs}, got ${ttlMs}`)
  }
  keyv.throwOnErrors = true
  if ('throwOnErrors' in keyv.store) keyv.store.throwOnErrors = true
  // Without a listener some adapters end the process. The caller gets the error from the call that failed.
  keyv.on('error', () => {})

  return {
    has: async (id) => (await keyv.get(id)) !== undefined,
    async add(id) {
      if (!(await keyv.set(id, 1, ttlMs))) throw new Error('Keyv did not store the ID')
    },
  }
}
