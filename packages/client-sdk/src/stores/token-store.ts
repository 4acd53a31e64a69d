/**
 * The port for a user's tokens. `tokenStoreContract()` of `@posrep/client-sdk/contract` tests an implementation.
 * Every method may reject: the call that needed it then rejects with SessionError `storage_unavailable`, and nobody is
 * signed out.
 */
import type { Tokens } from '../session/tokens.ts'

export interface TokenStore {
  /** Resolves with `undefined` only if there are no tokens. A store that cannot be read must reject. */
  read(): Tokens | undefined | Promise<Tokens | undefined>
  /** Replaces the tokens as a whole: a reader sees the old ones or the new ones. */
  write(tokens: Tokens): void | Promise<void>
  /** Deletes the tokens, if there are some. */
  clear(): void | Promise<void>
  /**
   * Runs the task while no other session with these tokens runs one, at least none of this process, and releases the
   * lock when its holder dies. Sessions of processes that it does not cover may refresh at the same time: they rely on
   * a service that accepts a refresh token again for some seconds.
   */
  lock?<T>(task: () => Promise<T>): Promise<T>
  /**
   * Calls the listener after somebody else, such as another tab, changed the tokens. Returns a function that ends it.
   */
  subscribe?(listener: () => void): () => void
}
