/** Opens and checks the SQLite file, and prepares each statement once. Runs in the worker threads only. */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { checkFile, type DatabaseRole, makeFile, takeLock } from './file.ts'
import { schema, schemaVersion } from './schema.ts'

export interface Database {
  /** The prepared statement of this text. */
  sql(text: string): StatementSync
  exec(text: string): void
  /**
   * Runs `work` in one transaction: all of its changes are committed, or none.
   * @throws what `work` or the commit threw, after the rollback
   */
  transaction<T>(work: () => T): T
  /** Like `transaction`, for `work` that only reads. It does not wait for writers. */
  reading<T>(work: () => T): T
  /** Updates state in memory after the transaction: `keep` runs after the commit, `undo` after a rollback. */
  afterwards(steps: { keep?(): void; undo?(): void }): void
  /** Copies committed pages from the WAL into the database. They are already durable in the WAL. */
  checkpoint(): void
  /** How much a checkpoint would write. */
  bytesToCheckpoint(): number
  close(): void
}

/**
 * How long a transaction waits for another process that is writing. Shorter for a server, whose requests may wait for
 * two or three transactions, than for a command.
 */
const busyTimeoutMs = { server: 2_500, tool: 5_000 }
const pageBytes = 8_192
const cacheKibibytes = 16_384
/** After a burst of writes, the WAL file is truncated to this size. */
const walBytes = 64 * 1024 * 1024

/**
 * @throws Error when another server uses the file, or when it is not a database of posrep-server or has another schema.
 */
export function openDatabase(file: string, role: DatabaseRole): Database {
  checkFile(file, role)
  const lock = role === 'server' ? takeLock(`${file}.lock`) : undefined
  try {
    if (role === 'server') makeFile(file, createTables)
    const database = new DatabaseSync(file, { timeout: busyTimeoutMs[role] })
    try {
      checkVersion(database, file)
      prepare(database)
    } catch (error) {
      database.close()
      throw error
    }
    return createDatabase(database, () => lock?.close())
  } catch (error) {
    lock?.close()
    throw error
  }
}

function checkVersion(database: DatabaseSync, file: string): void {
  const found = Number(database.prepare('PRAGMA user_version').get()?.user_version)
  if (found === schemaVersion) return
  if (found === 0) throw new Error(`"${file}" is not a database of posrep-server; use another folder`)
  throw new Error(
    `"${file}" was written by a newer version (schema ${found}, expected ${schemaVersion}); update posrep-server`,
  )
}

function createTables(database: DatabaseSync): void {
  database.exec(`PRAGMA page_size = ${pageBytes}`)
  database.exec(`BEGIN IMMEDIATE; ${schema} PRAGMA user_version = ${schemaVersion}; COMMIT`)
}

function prepare(database: DatabaseSync): void {
  // FULL: the commit is on disk before its call is answered, and survives a power cut.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  // Checkpoints are run explicitly, because SQLite does not report the failure of an automatic one.
  database.exec(`PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = ${walBytes}`)
  database.exec(`PRAGMA cache_size = -${cacheKibibytes}`)
}

function createDatabase(database: DatabaseSync, unlock: () => void): Database {
  const statements = new Map<string, StatementSync>()
  let steps: { keep?(): void; undo?(): void }[] = []

  function sql(text: string): StatementSync {
    let statement = statements.get(text)
    if (!statement) statements.set(text, (statement = database.prepare(text)))
    return statement
  }

  function rollBack(): void {
    try {
      database.exec('ROLLBACK')
    } catch {
      // SQLite has already rolled back, for example because the disk is full.
    }
    for (const { undo } of takeSteps().reverse()) undo?.()
  }

  function takeSteps() {
    const taken = steps
    steps = []
    return taken
  }

  function within<T>(begin: string, work: () => T): T {
    sql(begin).run()
    let result: T
    try {
      result = work()
      sql('COMMIT').run()
    } catch (error) {
      rollBack()
      throw error
    }
    for (const { keep } of takeSteps()) keep?.()
    return result
  }

  return {
    sql,
    exec: (text) => database.exec(text),
    transaction: (work) => within('BEGIN IMMEDIATE', work),
    reading: (work) => within('BEGIN', work),
    afterwards: (step) => void steps.push(step),
    checkpoint: () => void sql('PRAGMA wal_checkpoint(PASSIVE)').get(),
    bytesToCheckpoint() {
      const row = sql('PRAGMA wal_checkpoint(NOOP)').get()
      return (Number(row?.log) - Number(row?.checkpointed)) * pageBytes
    },
    close() {
      database.close()
      unlock()
    },
  }
}
