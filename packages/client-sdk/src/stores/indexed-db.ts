/** Stores a session's tokens in IndexedDB, which all tabs and workers of the origin share. */
import { checkNoOthers } from '../origins.ts'
import { type Channel, findSystemIndexedDb, findSystemLocks, type Locks, openSystemChannel } from '../ports.ts'
import { browserStore } from './browser-store.ts'
import type { TokenStore } from './token-store.ts'

export interface IndexedDbTokenStoreOptions {
  /** Name of the database, the lock and the channel. Default `posrep.tokens`. */
  name?: string
  /** Default: the browser's indexedDB. */
  indexedDb?: IDBFactory | undefined
  /** Default: the browser's navigator.locks. */
  locks?: Locks | undefined
  /** Default: a BroadcastChannel named `name`. */
  channel?: Channel | undefined
}

const objectStore = 'tokens'
const key = 'current'

/**
 * Like `webTokenStore()`, for service workers too, which have no web storage. Any script of the origin can read the
 * tokens. If there is no database, they are kept in memory.
 * @example
 * ```ts
 * import { createPosrep } from '@posrep/client-sdk'
 * import { indexedDbTokenStore } from '@posrep/client-sdk/indexed-db'
 *
 * export const posrep = createPosrep({
 *   origin: 'https://localhost:8443',
 *   clientId: 'map-view',
 *   redirectUri: 'https://localhost:9443/callback',
 *   tokenStore: indexedDbTokenStore(),
 * })
 * ```
 */
export function indexedDbTokenStore({
  name = 'posrep.tokens',
  indexedDb = findSystemIndexedDb(),
  locks = findSystemLocks(),
  channel = openSystemChannel(name),
  ...others
}: IndexedDbTokenStoreOptions = {}): TokenStore {
  checkNoOthers(others, 'indexedDbTokenStore')
  return browserStore({
    name,
    locks,
    channel,
    text: {
      async read() {
        const text = await use('readonly', (tokens) => tokens.get(key))
        return typeof text === 'string' ? text : undefined
      },
      write: (text) => use('readwrite', (tokens) => tokens.put(text, key)).then(() => {}),
      remove: () => use('readwrite', (tokens) => tokens.delete(key)).then(() => {}),
    },
  })

  /** Resolves when the transaction is complete, so that a crash cannot undo what was reported as written. */
  async function use<T>(mode: IDBTransactionMode, ask: (tokens: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const database = await open()
    try {
      return await new Promise((resolve, reject) => {
        const transaction = database.transaction(objectStore, mode)
        const request = ask(transaction.objectStore(objectStore))
        transaction.oncomplete = () => resolve(request.result)
        transaction.onabort = () => reject(transaction.error)
      })
    } finally {
      // A connection that stays open would block the deletion of the database.
      database.close()
    }
  }

  function open(): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
      if (!indexedDb) throw new Error('There is no IndexedDB')
      const request = indexedDb.open(name, 1)
      request.onupgradeneeded = () => void request.result.createObjectStore(objectStore)
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  }
}
