/**
 * Stores a session's tokens in a file that only its owner can read, for programs in a terminal. Processes share the
 * session. Each write replaces the file, so a crash leaves the old or the new tokens.
 */
import { readFile, rm } from 'node:fs/promises'
import { fileLock } from '@posrep/kernel/file-lock'
import { replaceFile } from '@posrep/kernel/replace-file'
import { checkNoOthers } from '../origins.ts'
import { type Clock, systemClock } from '../ports.ts'
import { sleep } from '../request/sleep.ts'
import { parseTokens } from '../session/tokens.ts'
import { createMutex } from './mutex.ts'
import type { TokenStore } from './token-store.ts'

export interface FileTokenStoreOptions {
  /**
   * Path of the file. Its folder must exist. Beside it there are `.new`, `.lock` and `.lock.break` files for moments.
   */
  file: string
  /** Default: the system clock. */
  clock?: Clock
}

/**
 * Its `read` rejects when the file exists but does not contain tokens: the message names it.
 *
 * @example
 * ```ts
 * import { createPosrep } from '@posrep/client-sdk'
 * import { fileTokenStore } from '@posrep/client-sdk/file'
 *
 * export const posrep = createPosrep({
 *   origin: 'https://localhost:8443',
 *   clientId: 'demo-cli',
 *   redirectUri: 'http://127.0.0.1:8765/callback',
 *   tokenStore: fileTokenStore({ file: 'tokens.json' }),
 * })
 * ```
 */
export function fileTokenStore({ file, clock = systemClock, ...others }: FileTokenStoreOptions): TokenStore {
  checkNoOthers(others, 'fileTokenStore')
  const tasks = createMutex()
  const writes = createMutex()
  const lock = fileLock(`${file}.lock`, { elapsed: () => clock.now(), sleep: (ms) => sleep(clock, ms) })
  return {
    async read() {
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      if (text === undefined) return undefined
      const tokens = parseTokens(text)
      // The text may contain secrets and must not appear in a message.
      if (!tokens) throw new Error(`"${file}" does not contain tokens; delete it and sign in again`)
      return tokens
    },
    write: (tokens) => writes(() => replaceFile(file, JSON.stringify(tokens))),
    clear: () => rm(file, { force: true }),
    lock: (task) => tasks(() => lock(task)),
  }
}
