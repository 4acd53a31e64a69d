/**
 * A lock between processes of one machine, as a file.
 * In: the path of the lock file. Out: a function that runs tasks while no other process runs one. The lock of a process that died, or
 * that holds it for longer than any refresh takes, is broken. Where no file can be created the task runs without it: a refresh at the
 * same time is then up to the service, which accepts a used refresh token again for some seconds.
 */
import { randomUUID } from 'node:crypto'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { isCode, isCreateError } from '../disk-errors.ts'
import type { Clock } from '../ports.ts'

/** Longer than a refresh takes. */
const longestHoldMs = 40_000
const retryMs = 25

export function fileLock(file: string, clock: Clock): <T>(task: () => Promise<T>) => Promise<T> {
  return async (task) => {
    const owner = [process.pid, hostname(), randomUUID()].join(' ')
    const endMs = clock.now() + longestHoldMs
    while (!(await acquire(owner)) && clock.now() < endMs) {
      await breakIfAbandoned()
      await clock.sleep(retryMs)
    }
    try {
      return await task()
    } finally {
      // If it was broken meanwhile, the file is another process's.
      if ((await readOwner()) === owner) await rm(file, { force: true }).catch(() => undefined)
    }
  }

  /** True also if no file can be created. */
  async function acquire(owner: string): Promise<boolean> {
    try {
      const handle = await open(file, 'wx', 0o600)
      await handle.writeFile(owner).finally(() => handle.close())
      return true
    } catch (error) {
      if (isCode(error, 'EEXIST')) return false
      if (!isCreateError(error)) throw error
      // It may have been created, and be empty.
      if ((await readOwner()) === '') await rm(file, { force: true }).catch(() => undefined)
      return true
    }
  }

  async function breakIfAbandoned(): Promise<void> {
    const owner = await readOwner()
    if (owner === undefined || !(await isAbandoned(owner))) return
    // Only one of those who saw it moves it. If a new holder was faster, its lock is moved: the service then sees two refreshes at
    // once, which its grace covers.
    const broken = `${file}.${randomUUID()}`
    await rename(file, broken).catch(() => undefined)
    await rm(broken, { force: true })
  }

  async function isAbandoned(owner: string): Promise<boolean> {
    const [pid, host] = owner.split(' ')
    // On a shared folder the process may run on another machine or in another container.
    if (host === hostname() && !isRunning(Number(pid))) return true
    const { mtimeMs } = (await stat(file).catch(() => undefined)) ?? { mtimeMs: clock.now() }
    return Math.abs(clock.now() - mtimeMs) > longestHoldMs
  }

  async function readOwner(): Promise<string | undefined> {
    return readFile(file, 'utf8').catch(() => undefined)
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs as another user.
    return isCode(error, 'EPERM')
  }
}
