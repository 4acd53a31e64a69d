/** Makes a created, renamed or deleted file of a folder safe from a power cut. */
import { open } from 'node:fs/promises'

export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder; there a rename is durable by itself.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
