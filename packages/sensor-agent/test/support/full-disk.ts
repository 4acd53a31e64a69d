/** Disks that take no write: file systems of a test's own, which need Linux and root. */
import { execFileSync } from 'node:child_process'
import { mkdir, open } from 'node:fs/promises'
import { onTestFinished } from 'vitest'

export const canMount = process.platform === 'linux' && process.getuid?.() === 0
if (!canMount) {
  if (process.env.TEST_REQUIRE_ALL === '1') throw new Error('The tests of a full disk need Linux and root')
  process.stderr.write('skipped: a full disk, which needs Linux and root\n')
}

/** Mounts a disk of 1 MiB. `mode`: `rw` or `ro`. */
export async function aSmallDisk(folder: string, mode = 'rw'): Promise<void> {
  await mkdir(folder)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=1m,mode=700,${mode}`, 'tmpfs', folder])
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
}

export function remount(folder: string, mode: 'rw' | 'ro'): void {
  execFileSync('mount', ['-o', `remount,${mode}`, folder])
}

/** Fills the file system to the last byte. */
export async function fill(file: string): Promise<void> {
  const handle = await open(file, 'a')
  try {
    for (const bytes of [65_536, 4_096]) {
      for (;;)
        if ((await handle.write(Buffer.alloc(bytes, 'x')).catch(() => ({ bytesWritten: 0 }))).bytesWritten < bytes)
          break
    }
  } finally {
    await handle.close()
  }
}
