/** Opens the SQLite file and prepares each statement once. Runs in the worker thread only. */
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { schema, schemaVersion } from './schema.ts'

export interface Database {
  /** The prepared statement of this text. */
  sql(text: string): StatementSync
  exec(text: string): void
  close(): void
}

/**
 * A `server` makes the file where there is none and keeps other servers off it; a `tool` joins whoever works on it,
 * for a few statements, and leaves the tables as they are.
 */
export type DatabaseRole = 'server' | 'tool'

/** How long a statement waits for another process that is writing, e.g. the command line. */
const busyTimeoutMs = 5_000

/** @throws Error when another server has the file, when it is not our database, or was written by a newer version. */
export function openDatabase(file: string, role: DatabaseRole): Database {
  if (role === 'tool' && !existsSync(file)) throw noDatabase()
  const lock = role === 'server' ? takeLock(`${file}.lock`) : undefined
  if (role === 'server') keepPrivate(file)
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs })
  const found = Number(database.prepare('PRAGMA user_version').get()?.user_version)
  if (found > schemaVersion) {
    throw new Error(
      `"${file}" was written by a newer version (schema ${found}, this is ${schemaVersion}); update posrep-server`,
    )
  }
  if (role === 'tool' && found === 0) throw noDatabase()
  if (role === 'tool' && found < schemaVersion) {
    throw new Error(`"${file}" was written by an older version; start this version of posrep-server on it first`)
  }
  // FULL: the commit is on the disk before anyone is told of it, also through a power cut.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  // Every version has only added tables, so the schema as a whole brings an older file up to date.
  if (found < schemaVersion) database.exec(`BEGIN IMMEDIATE; ${schema} PRAGMA user_version = ${schemaVersion}; COMMIT`)

  const statements = new Map<string, StatementSync>()
  return {
    sql(text) {
      let statement = statements.get(text)
      if (!statement) statements.set(text, (statement = database.prepare(text)))
      return statement
    },
    exec: (text) => database.exec(text),
    close() {
      database.close()
      lock?.close()
    },
  }
}

/** The signing keys are in it: for its owner alone, whatever the folder allows. SQLite gives the files beside it the same mode. */
function keepPrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
}

function noDatabase(): Error {
  return new Error(
    'there is no database in it; name the folder of the server, or start posrep-server on this one first',
  )
}

/**
 * One process at a time works on the logs: it may take over at once what a process that died was holding.
 * The lock is the operating system's, on a file of its own, and ends with the process, however that ends.
 */
function takeLock(file: string): DatabaseSync {
  const lock = new DatabaseSync(file)
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    return lock
  } catch (cause) {
    lock.close()
    throw new Error('another posrep-server is running on it', { cause })
  }
}
