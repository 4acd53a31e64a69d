/**
 * Replaces a file in one step.
 * In: the path, the new content, and who may read it. Out: the file with that content on the disk. Another process
 * reads the old or the new content, and so does the next process after a crash: it is written beside the file, and
 * renamed.
 */
import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from './sync-folder.ts'

export interface ReplaceFileOptions {
  /** Default: only the owner may read it. */
  mode?: number
}

export async function replaceFile(
  file: string,
  content: string | Uint8Array,
  { mode = 0o600 }: ReplaceFileOptions = {},
): Promise<void> {
  // Nobody can guess the name, and `wx` follows no link. Two writers never share it.
  const fresh = `${file}.${randomUUID()}.new`
  try {
    const handle = await open(fresh, 'wx', mode)
    try {
      // The umask has taken bits from the mode of `open`.
      await handle.chmod(mode)
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(fresh, file)
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => {})
    throw error
  }
  await syncFolder(dirname(file))
}
