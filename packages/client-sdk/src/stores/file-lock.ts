/**
 * A lock between processes of one machine, as a file.
 * In: the path of the lock file. Out: a function that runs tasks while no other process runs one. The lock of a process that died, or
 * that holds it for longer than any refresh takes, is broken.
 */
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { Clock } from '../ports.ts'
import { sleep } from '../request/sleep.ts'
import type { Mutex } from './mutex.ts'

/** Longer than a refresh takes. */
const longestHoldMs = 40_000
const retryMs = 25

export function fileLock({ file, clock }: { file: string; clock: Clock }): Mutex {
  return async (task) => {
    const owner = [process.pid, hostname(), crypto.randomUUID()].join(' ')
    while (!(await acquire(owner))) {
      await breakIfAbandoned()
      await sleep(clock, retryMs)
    }
    try {
      return await task()
    } finally {
      // If it was broken meanwhile, the file is another process's.
      if ((await readOwner(file)) === owner) await rm(file, { force: true })
    }
  }

  async function acquire(owner: string): Promise<boolean> {
    const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return undefined
      throw error
    })
    if (!handle) return false
    await handle.writeFile(owner).finally(() => handle.close())
    return true
  }

  async function breakIfAbandoned(): Promise<void> {
    const owner = await readOwner(file)
    if (owner === undefined || !(await isAbandoned(owner))) return
    // Only one of those who saw it moves it. If a new holder was faster, its lock is moved: the task's service then sees two
    // refreshes at once, which its grace covers.
    const broken = `${file}.${crypto.randomUUID()}`
    await rename(file, broken).catch(ignoreMissing)
    await rm(broken, { force: true })
  }

  async function isAbandoned(owner: string): Promise<boolean> {
    const [pid, host] = owner.split(' ')
    // On a shared folder the process may run on another machine or in another container.
    if (host === hostname() && !isRunning(Number(pid))) return true
    const { mtimeMs } = (await stat(file).catch(ignoreMissing)) ?? { mtimeMs: clock.now() }
    return Math.abs(clock.now() - mtimeMs) > longestHoldMs
  }
}

async function readOwner(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(ignoreMissing)
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
