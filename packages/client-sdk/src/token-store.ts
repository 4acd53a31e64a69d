/**
 * Where a session keeps its tokens.
 * In: tokens. Out: the same, later: in this process (memory), or in every tab and after a reload (web).
 */
import { findSystemLocks, findSystemStorage, type Locks } from './ports.ts'
import type { Tokens } from './tokens.ts'

export interface TokenStore {
  read(): Tokens | undefined | Promise<Tokens | undefined>
  write(tokens: Tokens): void | Promise<void>
  clear(): void | Promise<void>
  /** Does the work while nobody else who shares these tokens does theirs. Without it, only calls of one session wait for each other. */
  lock?<T>(work: () => Promise<T>): Promise<T>
}

export function memoryTokenStore(): TokenStore {
  let kept: Tokens | undefined
  return {
    read: () => kept,
    write(tokens) {
      kept = tokens
    },
    clear() {
      kept = undefined
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

/** Any script of the origin can read the tokens. Without storage, or when it is full, they are kept in memory. */
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
        // Storage may be full or forbidden; losing the tokens would sign the user out.
        unsaved = tokens
      }
    },
    clear() {
      unsaved = undefined
      storage?.removeItem(key)
    },
    lock: (work) => (locks ? locks.request(key, work) : work()),
  }
}

/** Anything of the origin may have written there. */
function parse(item: string | null | undefined): Tokens | undefined {
  if (!item) return undefined
  try {
    const value: unknown = JSON.parse(item)
    return isTokens(value) ? value : undefined
  } catch {
    // Not ours, then.
    return undefined
  }
}

function isTokens(value: unknown): value is Tokens {
  return typeof value === 'object' && value !== null && 'accessToken' in value && typeof value.accessToken === 'string'
}
