/**
 * Lets one process at a time own a folder.
 * In: the folder. Out: a lock file that names the owner, and says what its sudden end can lose. The lock of a killed
 * process is taken over: its process is gone, or has another start time, or the machine was started again. In another
 * container the owner cannot be looked up; then the lock is taken over, too, and the earlier owner, if it still runs,
 * notices at its next check and stops writing. On a disk that takes no file, each check tries again to get the lock.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isCode, isCreateError, isDiskError } from '@posrep/kernel/disk-errors'
import { isRunning, startTimeOf } from '@posrep/kernel/is-running'
import { replaceFile } from '@posrep/kernel/replace-file'
import { AgentError } from '../../errors.ts'

export interface FolderLock {
  /** Whether the earlier owner released its lock. */
  cleanStop: boolean
  /** What the earlier owner stored in this time before its end may be lost, in ms; 0 when nothing can be. */
  mayHaveLostMs: number
  /** Names the boot of the machine, or this process where there is no such name. */
  boot: string
  /** Why the disk did not take the lock at the start. Nothing may be written until a check succeeds. */
  failure: unknown
  /**
   * @throws AgentError `spool_in_use` when another process has taken the lock over; the error of a disk that takes no
   * file.
   */
  check(): Promise<void>
  release(): Promise<void>
}

/** What is not safe yet, in ms: stored positions may be as young as this when the process or the machine ends. */
export interface Exposure {
  ofKillMs: number
  ofPowerCutMs: number
}

interface Owner extends Exposure {
  id: string
  pid: number
  /** Start time of the process, boot of the machine and namespace of process ids; empty where /proc does not exist. */
  startedAt: string
  boot: string
  pidNamespace: string
}

// Taking over takes milliseconds; after a second without an end its process is gone.
const guardWaitMs = 10
const maxGuardWaits = 100

/**
 * Creates the folder if it is missing.
 *
 * @throws AgentError `spool_in_use` when another process owns the folder.
 */
export async function lockFolder(folder: string, exposure: Exposure): Promise<FolderLock> {
  const file = join(folder, 'lock')
  const owner = { ...(await describeProcess()), ...exposure }
  const text = JSON.stringify(owner)
  let cleanStop = true
  let mayHaveLostMs = 0
  let namesBefore: string[] | undefined
  const failure = await acquire().then(() => undefined, keepDiskError)
  if (failure) namesBefore = await listNames(folder)

  return {
    cleanStop,
    mayHaveLostMs,
    boot: owner.boot === '' ? owner.id : owner.boot,
    failure,
    async check() {
      if (namesBefore) await acquireLate(namesBefore)
      else if ((await readIfThere(file)) !== text) throw inUse(folder, 'another process')
    },
    async release() {
      if ((await readIfThere(file)) === text) await rm(file, { force: true })
    },
  }

  async function acquire(): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    while (!(await tryCreate(file, text))) {
      const held = await readIfThere(file)
      if (held === undefined) continue
      const other = toOwner(held)
      if (other && isOwnerRunning(other, owner)) throw inUse(folder, `process ${other.pid}`)
      cleanStop = false
      mayHaveLostMs = toLostMs(other, owner)
      if (await takeOver(file, held, text)) return
    }
  }

  /** The names of this process's files follow from what it found; another process may have written since. */
  async function acquireLate(before: readonly string[]): Promise<void> {
    await acquire()
    if ((await listNames(folder)).every((name) => before.includes(name))) namesBefore = undefined
    else {
      await rm(file, { force: true })
      const message = `The spool folder "${folder}" was used by another process since the start; restart this agent`
      throw new AgentError('spool_in_use', message)
    }
  }
}

function keepDiskError(error: unknown): unknown {
  if (!isCreateError(error)) throw error
  return error
}

async function listNames(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name.endsWith('.spool'))
}

function inUse(folder: string, who: string): AgentError {
  const message = `The spool folder "${folder}" is used by ${who}; stop it, or give each agent a folder`
  return new AgentError('spool_in_use', message)
}

/** False if the file exists. Hard links would be stricter, and file systems of SD cards have none. */
async function tryCreate(file: string, text: string): Promise<boolean> {
  try {
    // biome-ignore lint/plugin: to create it is to take the lock; those who find it empty or half wait for its text
    await writeFile(file, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    // A full disk may have taken the name and not the text.
    if (isDiskError(error)) await rm(file, { force: true }).catch(() => undefined)
    throw error
  }
}

/** One process at a time takes a lock over, if it is still the one that was found. */
async function takeOver(file: string, found: string, text: string): Promise<boolean> {
  const guard = `${file}.takeover`
  for (let waits = 0; !(await tryCreate(guard, '')); waits += 1) {
    await setTimeout(guardWaitMs)
    // Its process was killed in the middle.
    if (waits >= maxGuardWaits) await rm(guard, { force: true })
  }
  try {
    // A lock that was just created is empty for a moment.
    if (found === '') await setTimeout(guardWaitMs)
    if ((await readIfThere(file)) !== found) return false
    await replaceFile(file, text)
    return true
  } finally {
    await rm(guard, { force: true })
  }
}

/**
 * Without the boot of the machine, a kill looks like a power cut; a damaged lock, and one of an earlier version, says
 * nothing.
 */
function toLostMs(earlier: Owner | undefined, self: Owner): number {
  const { ofKillMs = self.ofKillMs, ofPowerCutMs = self.ofPowerCutMs, boot = '' } = earlier ?? {}
  return boot !== '' && boot === self.boot ? ofKillMs : ofPowerCutMs
}

function isOwnerRunning(other: Owner, self: Omit<Owner, keyof Exposure>): boolean {
  if (other.boot !== self.boot || other.pidNamespace !== self.pidNamespace) return false
  return isRunning(other.pid) && startTimeOf(other.pid) === other.startedAt
}

/** The process that owns the folder, if it runs. */
export async function findOwner(folder: string): Promise<number | undefined> {
  const text = await readIfThere(join(folder, 'lock')).catch(() => undefined)
  const owner = text === undefined ? undefined : toOwner(text)
  return owner && isOwnerRunning(owner, await describeProcess()) ? owner.pid : undefined
}

async function describeProcess(): Promise<Omit<Owner, keyof Exposure>> {
  const [boot, pidNamespace] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ])
  return { id: randomUUID(), pid: process.pid, startedAt: startTimeOf(process.pid), boot: boot.trim(), pidNamespace }
}

function toOwner(text: string): Owner | undefined {
  try {
    // The file is written by this function's counterpart; a damaged one does not parse or has no pid.
    const owner = JSON.parse(text) as Partial<Owner> | null
    return typeof owner?.pid === 'number' && owner.pid > 0 ? (owner as Owner) : undefined
  } catch {
    // A lock that a power cut has damaged has no owner.
    return undefined
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error) => {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  })
}
