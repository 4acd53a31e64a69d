/**
 * Stores a session's tokens in a file that only its owner can read, for programs in a terminal. Processes share the session.
 * Each write replaces the file, so a crash leaves the old or the new tokens.
 */
import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Clock, systemClock } from '../ports.ts'
import { parseTokens } from '../session/tokens.ts'
import { fileLock } from './file-lock.ts'
import { createMutex } from './mutex.ts'
import type { TokenStore } from './token-store.ts'

export interface FileTokenStoreOptions {
  /** Path of the file. Its folder must exist. Beside it there are `.new` and `.lock` files for moments. */
  file: string
  /** Default: the system clock. */
  clock?: Clock
}

/** Its `read` rejects when the file exists but does not contain tokens: the message names it. */
export function fileTokenStore({ file, clock = systemClock }: FileTokenStoreOptions): TokenStore {
  const tasks = createMutex()
  const writes = createMutex()
  const lock = fileLock({ file: `${file}.lock`, clock })
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
    write: (tokens) =>
      writes(async () => {
        const fresh = `${file}.${process.pid}.new`
        await writeThrough(fresh, JSON.stringify(tokens))
        await rename(fresh, file)
        await syncFolder(dirname(file))
      }),
    clear: () => rm(file, { force: true }),
    lock: (task) => tasks(() => lock(task)),
  }
}

async function writeThrough(file: string, text: string): Promise<void> {
  // A file or a link that somebody else put here is removed, not written through.
  await rm(file, { force: true })
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  // Windows cannot open a folder; there the rename is durable by itself.
  await handle?.sync().finally(() => handle.close())
}
