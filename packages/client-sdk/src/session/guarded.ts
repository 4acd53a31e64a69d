/**
 * Makes the errors of a token store SessionErrors.
 * In: a store. Out: the same store, which rejects with `storage_unavailable`.
 */
import { SessionError } from '../errors.ts'
import type { TokenStore } from '../stores/token-store.ts'
import type { Tokens } from './tokens.ts'

export interface GuardedStore {
  read(): Promise<Tokens | undefined>
  write(tokens: Tokens): Promise<void>
  clear(): Promise<void>
  /** Without a lock in the store the task runs at once. */
  lock<T>(task: () => Promise<T>): Promise<T>
}

export function guarded(store: TokenStore): GuardedStore {
  return {
    read: () => attempt('read', () => store.read()),
    write: (tokens) => attempt('written', () => store.write(tokens)),
    clear: () => attempt('deleted', () => store.clear()),
    lock,
  }

  async function lock<T>(task: () => Promise<T>): Promise<T> {
    let hasTaskFailed = false
    const watched = () =>
      task().catch((error: unknown) => {
        hasTaskFailed = true
        throw error
      })
    try {
      return await (store.lock ? store.lock(watched) : watched())
    } catch (error) {
      throw hasTaskFailed ? error : toError('locked', error)
    }
  }
}

async function attempt<T>(done: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw toError(done, cause)
  }
}

function toError(done: string, cause: unknown): SessionError {
  return new SessionError('storage_unavailable', `The tokens could not be ${done}; check "tokenStore"`, { cause })
}
