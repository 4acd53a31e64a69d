/** Mounts separate file systems that can be full or read-only; needs root. */
import { execFileSync } from 'node:child_process'
import { mkdir, open } from 'node:fs/promises'
import { onTestFinished } from 'vitest'

/** @param options Mount options, such as `size=1m` or `ro`. */
export async function aSmallDisk(folder: string, options: string): Promise<void> {
  await mkdir(folder)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `${options},mode=700`, 'tmpfs', folder])
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
}

/** Fills the file system to the last byte. */
export async function fill(file: string): Promise<void> {
  for (const bytes of [1024 ** 2, 4096]) {
    // Each loop ends with a write that no longer fits; the next one writes smaller blocks.
    await writeUntilFull(file, bytes).catch((error) => {
      if (error.code !== 'ENOSPC') throw error
    })
  }
}

async function writeUntilFull(file: string, bytes: number): Promise<never> {
  const handle = await open(file, 'a')
  try {
    for (;;) await handle.writeFile(Buffer.alloc(bytes, 'x'))
  } finally {
    await handle.close()
  }
}
