/** The database file: checks whether it can be opened, creates a new one, and lets only one server at a time use it. */
import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from './failure.ts'

/**
 * A `server` creates a missing file and locks it against other servers. A `tool` runs a few statements beside a server
 * and does not change the schema.
 */
export type DatabaseRole = 'server' | 'tool'

/** @throws Error for a file that is no longer a database, so that a new database does not silently replace it. */
export function checkFile(file: string, role: DatabaseRole): void {
  const bytes = bytesOf(file)
  if (role === 'tool' && (bytes ?? 0) === 0) {
    throw new Error(
      'it contains no database; use the folder of a server, or start posrep-server with this folder first',
    )
  }
  if (bytes === 0) {
    throw new Error(
      `"${file}" is empty, so its data is lost; restore a backup, or delete the file to start with an empty database`,
    )
  }
  if (bytes === undefined && (bytesOf(`${file}-wal`) ?? 0) > 0) {
    throw new Error(
      `"${file}" is missing, but "${file}-wal" exists; restore the file, or delete the other one to start with an empty database`,
    )
  }
}

function bytesOf(file: string): number | undefined {
  return existsSync(file) ? statSync(file).size : undefined
}

/**
 * Creates the file if it is missing. It is first completed under another name, so that `file` is never incomplete.
 * Only its owner may read it, whatever the folder allows, because it contains the signing keys. SQLite gives the same
 * mode to the files beside it.
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

/** Syncs a file to disk; or a folder, so that the names in it are on disk. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Ensures that one process at a time owns the logs, so that a new process can lease every queue at once after a crash.
 * The lock is an operating-system lock on a separate file. It ends with the process, even after a crash.
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
    // Whoever can open the file can lock it, and so keep the server from starting, whatever the folder allows.
    closeSync(openSync(file, 'a', 0o600))
    chmodSync(file, 0o600)
    return new DatabaseSync(file)
  } catch (cause) {
    throw new Error(`"${file}" cannot be written: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}
