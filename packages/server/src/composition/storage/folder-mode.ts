/** Who can open the data folder. In: the folder. Out: its mode if others than its owner can, such as "755". */
import { stat } from 'node:fs/promises'

const othersMask = 0o077

export async function findOpenMode(folder: string): Promise<string | undefined> {
  // Windows has no such modes. Without a folder, as with --memory, there is nothing to read.
  if (process.platform === 'win32') return undefined
  const mode = await stat(folder).then(
    (found) => found.mode & 0o777,
    () => 0,
  )
  return (mode & othersMask) === 0 ? undefined : mode.toString(8)
}
