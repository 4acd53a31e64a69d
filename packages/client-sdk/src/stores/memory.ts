/** Stores a session's tokens in memory: they end with the page or the process. */
import type { Tokens } from '../session/tokens.ts'
import { createMutex } from './mutex.ts'
import type { TokenStore } from './token-store.ts'

/** The tokens are lost with the page or the process. */
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
    lock: createMutex(),
  }
}
