/** Stores the tokens in a file that only its owner can read. Each write replaces the file, so a crash leaves the old or the new tokens. */
import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { PairedTokens, TokenStore } from './token-store.ts'

/** @throws from `read`, when the file exists but cannot be read or does not contain tokens. */
export function fileTokenStore(file: string): TokenStore {
  return {
    async read() {
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      if (text === undefined) return undefined
      const tokens = toPairedTokens(text)
      if (!tokens) throw new Error(`"${file}" does not contain the tokens of a paired sensor; delete it and pair again`)
      return tokens
    },
    async write(tokens) {
      const fresh = `${file}.new`
      await writeThrough(fresh, JSON.stringify(tokens))
      await rename(fresh, file)
      await syncFolder(dirname(file))
    },
    async clear() {
      await rm(file, { force: true })
    },
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
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function toPairedTokens(text: string): PairedTokens | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The caller reports the file's name. The text may contain secrets and must not appear in a message.
    return undefined
  }
  return isPairedTokens(value) ? value : undefined
}

function isPairedTokens(value: unknown): value is PairedTokens {
  if (typeof value !== 'object' || value === null) return false
  // It is an object; its members may be missing, so their values are unknown.
  const { accessToken, refreshToken, issuedAtMs, expiresAtMs, sensorId } = value as Record<string, unknown>
  return (
    [accessToken, refreshToken, sensorId].every((text) => typeof text === 'string' && text !== '') &&
    [issuedAtMs, expiresAtMs].every((time) => typeof time === 'number')
  )
}
