/**
 * Stores a session's tokens in web storage: localStorage, which all tabs share, or sessionStorage, which each tab has
 * for itself.
 */
import { checkNoOthers } from '../origins.ts'
import {
  type Channel,
  findSystemLocks,
  findSystemStorage,
  type Locks,
  openSystemChannel,
  type WebStorage,
} from '../ports.ts'
import { browserStore } from './browser-store.ts'
import type { TokenStore } from './token-store.ts'

export interface WebTokenStoreOptions {
  /** Name of the item, the lock and the channel. Default `posrep.tokens`. */
  key?: string
  /**
   * With `localStorage`, all tabs share one session, and it survives the end of the browser. With `sessionStorage`,
   * each tab has its own session until it is closed; a duplicated tab shares the refresh token without the lock.
   * Default `localStorage`.
   */
  storage?: 'localStorage' | 'sessionStorage' | WebStorage
  /** Default: the browser's navigator.locks. */
  locks?: Locks | undefined
  /** Default: a BroadcastChannel named `key`. */
  channel?: Channel | undefined
}

/** Any script of the origin can read the tokens. If there is no storage, or it is full, they are kept in memory. */
export function webTokenStore({
  key = 'posrep.tokens',
  storage = 'localStorage',
  locks = storage === 'sessionStorage' ? undefined : findSystemLocks(),
  channel = storage === 'sessionStorage' ? undefined : openSystemChannel(key),
  ...others
}: WebTokenStoreOptions = {}): TokenStore {
  checkNoOthers(others, 'webTokenStore')
  const items = typeof storage === 'string' ? findSystemStorage(storage) : storage
  return browserStore({
    name: key,
    locks,
    channel,
    changeEvent: 'storage',
    text: {
      read: () => items?.getItem(key),
      // Without a storage this throws, too.
      write: (text) => (items as WebStorage).setItem(key, text),
      remove: () => items?.removeItem(key),
    },
  })
}
