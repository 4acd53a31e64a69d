/** Opens the SQLite file and prepares each statement once. Runs in the worker thread only. */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { schema, schemaVersion } from './schema.ts'

export interface Database {
  /** The prepared statement of this text. */
  sql(text: string): StatementSync
  exec(text: string): void
  close(): void
}

/** How long a statement waits for another process that is writing, e.g. the command line. */
const busyTimeoutMs = 5_000

/** @throws Error when another process has the file, when it is no SQLite database, or was written by a newer version. */
export function openDatabase(file: string): Database {
  const lock = takeLock(`${file}.lock`)
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs })
  // FULL: the commit is on the disk before anyone is told of it, also through a power cut.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  const found = Number(database.prepare('PRAGMA user_version').get()?.user_version)
  if (found > schemaVersion) {
    throw new Error(
      `"${file}" was written by a newer version (schema ${found}, this is ${schemaVersion}); update posrep-server`,
    )
  }
  if (found === 0) database.exec(`BEGIN IMMEDIATE; ${schema} PRAGMA user_version = ${schemaVersion}; COMMIT`)

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
      lock.close()
    },
  }
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
