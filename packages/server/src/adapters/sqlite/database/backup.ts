/**
 * Backs up the database and restores it while a server uses it.
 * In: the database of a data directory, and a backup file. Out: `backupDatabase` writes a consistent copy.
 * `restoreDatabase` replaces the content of the database in one step, which the server detects within a second.
 */
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openDatabase } from './database.ts'
import { syncFile } from './file.ts'
import { schemaVersion } from './schema.ts'

/** Long, because the server commits continuously. */
const busyTimeoutMs = 30_000

/** @throws Error when there is no database, when `target` exists, or when there is no space for it. */
export function backupDatabase(file: string, target: string): { bytes: number } {
  if (existsSync(target)) throw new Error(`"${target}" already exists; choose another file name`)
  openDatabase(file, 'tool').close()
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs })
  // Complete before it has its name, so that a copy of the folder never takes half a backup.
  const unfinished = `${target}.${randomUUID()}.new`
  try {
    // The backup contains the signing keys, so only its owner may read it.
    closeSync(openSync(unfinished, 'wx', 0o600))
    database.prepare('VACUUM INTO ?').run(unfinished)
    checkBackup(unfinished)
    syncFile(unfinished)
    renameSync(unfinished, target)
    syncFile(dirname(target))
    return { bytes: statSync(target).size }
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  } finally {
    database.close()
  }
}

/**
 * Replaces all data in one transaction; creates the database if it is missing.
 * Revocations since the backup stay in force, and no seq of a log is assigned twice.
 * @throws Error, and changes nothing, when `source` is not a backup of this version, or is damaged
 */
export function restoreDatabase(file: string, source: string): void {
  checkBackup(source)
  if (!existsSync(file) || statSync(file).size === 0) {
    rmSync(file, { force: true })
    openDatabase(file, 'server').close()
  }
  openDatabase(file, 'tool').close()
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs })
  try {
    database.exec('PRAGMA synchronous = FULL')
    database.prepare('ATTACH ? AS backup').run(source)
    database.exec('BEGIN IMMEDIATE')
    for (const table of tablesOf(database)) database.exec(replacing[table] ?? replace(table))
    database.exec('UPDATE main.restored SET times = times + 1; COMMIT')
  } finally {
    database.close()
  }
}

/** Tables whose rows are merged, not replaced. */
const replacing: Record<string, string> = {
  revocation: `INSERT INTO main.revocation (subject, at, expires_at) SELECT subject, at, expires_at FROM backup.revocation
    WHERE true ON CONFLICT (subject) DO UPDATE SET at = max(at, excluded.at), expires_at = max(expires_at, excluded.expires_at)`,
  log_seq: `UPDATE main.log_seq SET reserved = max(reserved, (SELECT reserved FROM backup.log_seq WHERE log = main.log_seq.log))`,
  restored: '',
}

function replace(table: string): string {
  return `DELETE FROM main."${table}"; INSERT INTO main."${table}" SELECT * FROM backup."${table}"`
}

/** Both databases have the same tables, because both have this version. */
function tablesOf(database: DatabaseSync): string[] {
  return database
    .prepare("SELECT name FROM backup.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'")
    .all()
    .map((row) => String(row.name))
}

function checkBackup(file: string): void {
  if (!existsSync(file)) throw new Error(`"${file}" does not exist`)
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version)
    if (version !== schemaVersion) {
      throw new Error(`it has schema ${version}, but this version of posrep-server needs schema ${schemaVersion}`)
    }
    const found = database.prepare('PRAGMA quick_check(1)').get()?.quick_check
    if (found !== 'ok') throw new Error(`it is damaged: ${found}`)
  } catch (cause) {
    throw new Error(`"${file}" is not a usable backup: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  } finally {
    database.close()
  }
}
