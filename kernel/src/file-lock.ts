/**
 * A lock between processes of one machine, as a file.
 * In: the path of the lock file. Out: a function that runs tasks while no other process runs one. The lock of a process
 * that died, or that holds it for longer than any refresh takes, is broken. Where no file can be created the task runs
 * without it: a refresh at the same time is then up to the service, which accepts a used refresh token again for some
 * seconds.
 */
import { randomUUID } from 'node:crypto'
import { open, readFile, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { isCode, isCreateError } from './disk-errors.ts'
import { isRunning } from './is-running.ts'

/** Longer than a refresh takes. */
const longestHoldMs = 40_000
const retryMs = 25

export interface LockClock {
  /** Milliseconds that pass since any moment. */
  elapsed(): number
  sleep(ms: number): Promise<void>
}

export function fileLock(file: string, clock: LockClock): <T>(task: () => Promise<T>) => Promise<T> {
  return async (task) => {
    const owner = [process.pid, hostname(), randomUUID()].join(' ')
    let seen = { owner: '', sinceMs: clock.elapsed() }
    while (!(await acquire(owner))) {
      const holder = (await readOwner()) ?? ''
      // How long it is held is measured here: the time of the file comes from a clock that may be set.
      if (holder !== seen.owner) seen = { owner: holder, sinceMs: clock.elapsed() }
      const isOverdue = clock.elapsed() - seen.sinceMs > longestHoldMs
      if (isOverdue || isGone(holder)) await breakLock(holder, isOverdue)
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

  /**
   * Removes the lock of this holder. One process at a time does so, and looks again whose lock it is: another may have
   * broken it, and a third have taken it, since the holder was read.
   */
  async function breakLock(holder: string, isOverdue: boolean): Promise<void> {
    const claim = `${file}.break`
    // The process with the claim may have died, too. If two come here at once and a third takes the lock between them,
    // it loses it: the service then sees two refreshes at once, which its grace covers.
    if (isOverdue) await rm(claim, { force: true }).catch(() => undefined)
    const handle = await open(claim, 'wx', 0o600).catch(() => undefined)
    if (!handle) return
    try {
      await handle.close()
      if (((await readOwner()) ?? '') === holder) await rm(file, { force: true }).catch(() => undefined)
    } finally {
      await rm(claim, { force: true }).catch(() => undefined)
    }
  }

  async function readOwner(): Promise<string | undefined> {
    return readFile(file, 'utf8').catch(() => undefined)
  }
}

/** On a shared folder the process may run on another machine or in another container. */
function isGone(owner: string): boolean {
  const [pid, host] = owner.split(' ')
  return host === hostname() && !isRunning(Number(pid))
}
