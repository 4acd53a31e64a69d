/**
 * Stores a session's tokens: in memory, or in web storage, which all tabs share and a reload keeps.
 */
import { findSystemLocks, findSystemStorage, type Locks } from './ports.ts'
import type { Tokens } from './tokens.ts'

export interface TokenStore {
  read(): Tokens | undefined | Promise<Tokens | undefined>
  write(tokens: Tokens): void | Promise<void>
  clear(): void | Promise<void>
  /** Runs the task while no other session with this store runs one. Without it, only the calls of one session wait for each other. */
  lock?<T>(task: () => Promise<T>): Promise<T>
}

export function memoryTokenStore(): TokenStore {
  let stored: Tokens | undefined
  return {
    read: () => stored,
    write(tokens) {
      stored = tokens
    },
    clear() {
      stored = undefined
    },
  }
}

export interface WebTokenStoreOptions {
  /** Name of the item and of the lock. Default `posrep.tokens`. */
  key?: string
  /** Default: the browser's localStorage. */
  storage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** Default: the browser's navigator.locks. */
  locks?: Locks
}

/** Any script of the origin can read the tokens. If there is no storage, or it is full, they are stored in memory. */
export function webTokenStore({
  key = 'posrep.tokens',
  storage = findSystemStorage(),
  locks = findSystemLocks(),
}: WebTokenStoreOptions = {}): TokenStore {
  let unsaved: Tokens | undefined

  return {
    read: () => unsaved ?? parse(storage?.getItem(key)),
    write(tokens) {
      try {
        if (!storage) throw new Error('There is no storage')
        storage.setItem(key, JSON.stringify(tokens))
        unsaved = undefined
      } catch {
        // Storage may be full or disabled. Losing the tokens would sign the user out.
        unsaved = tokens
      }
    },
    clear() {
      unsaved = undefined
      storage?.removeItem(key)
    },
    lock: (task) => (locks ? locks.request(key, task) : task()),
  }
}

/** Other scripts of the origin may have changed the item, so it is validated. */
function parse(item: string | null | undefined): Tokens | undefined {
  if (!item) return undefined
  try {
    const value: unknown = JSON.parse(item)
    return isTokens(value) ? value : undefined
  } catch {
    // Not JSON, so not written by this package.
    return undefined
  }
}

function isTokens(value: unknown): value is Tokens {
  return typeof value === 'object' && value !== null && 'accessToken' in value && typeof value.accessToken === 'string'
}
