/** The database as a file: whether it may be opened, how a new one is made, and that one server at a time works on it. */
import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from './failure.ts'

/**
 * A `server` makes the file where there is none and keeps other servers off it; a `tool` works beside a server,
 * for a few statements, and leaves the tables as they are.
 */
export type DatabaseRole = 'server' | 'tool'

/** @throws Error for a file that is no database any more: no new one silently replaces it. */
export function checkFile(file: string, role: DatabaseRole): void {
  const bytes = bytesOf(file)
  if (role === 'tool' && (bytes ?? 0) === 0) {
    throw new Error(
      'there is no database in it; name the folder of the server, or start posrep-server on this one first',
    )
  }
  if (bytes === 0) {
    throw new Error(
      `"${file}" is empty, it has lost what was in it; put a backup in its place, or delete it to start with an empty one`,
    )
  }
  if (bytes === undefined && (bytesOf(`${file}-wal`) ?? 0) > 0) {
    throw new Error(
      `"${file}" is missing, though "${file}-wal" is there; put it back, or delete both to start with an empty one`,
    )
  }
}

function bytesOf(file: string): number | undefined {
  return existsSync(file) ? statSync(file).size : undefined
}

/**
 * Makes the file where there is none: whole, under another name first, so that one without content never stands there.
 * The signing keys are in it: it is for its owner alone, whatever the folder allows. SQLite gives the files beside it
 * the same mode.
 */
export function makeFile(file: string, fill: (database: DatabaseSync) => void): void {
  if (!existsSync(file)) {
    const unfinished = `${file}.new`
    for (const left of [unfinished, `${unfinished}-journal`]) rmSync(left, { force: true })
    closeSync(openSync(unfinished, 'w', 0o600))
    const database = new DatabaseSync(unfinished)
    try {
      fill(database)
    } finally {
      database.close()
    }
    renameSync(unfinished, file)
    syncFile(dirname(file))
  }
  chmodSync(file, 0o600)
}

/** Also for folders: that the name in it is on the disk. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * One process at a time works on the logs: it may take over at once what a process that died was holding.
 * An operating-system lock on a file of its own. It ends with the process, also after a crash.
 */
export function takeLock(file: string): DatabaseSync {
  const lock = openLockFile(file)
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    return lock
  } catch (cause) {
    lock.close()
    if (isBusy(cause)) throw new Error('another posrep-server is running on it', { cause })
    throw new Error(`"${file}" cannot be locked: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

function openLockFile(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file)
  } catch (cause) {
    throw new Error(`"${file}" cannot be written: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}
