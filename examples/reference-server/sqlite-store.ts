/**
 * A storage adapter: small records that expire (sessions, codes, pairing requests), in a SQLite file.
 * In: a file, a clock. Out: the port `Store`. Each method is one statement, so two callers at once cannot both take a
 * value.
 */
import { DatabaseSync } from 'node:sqlite'
import type { Clock, Store } from '@posrep/server/contracts'

export interface SqliteStore extends Store {
  close(): void
}

/** @param file A path, or `:memory:`. */
export function openSqliteStore({ file, clock }: { file: string; clock: Clock }): SqliteStore {
  const database = new DatabaseSync(file)
  // What was answered is on the disk, also after a power failure.
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS store (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at REAL NOT NULL)`)
  const live = 'key = ? AND expires_at > ?'
  const get = database.prepare(`SELECT value FROM store WHERE ${live}`)
  const put = database.prepare('INSERT OR REPLACE INTO store VALUES (?, ?, ?)')
  const take = database.prepare(`DELETE FROM store WHERE ${live} RETURNING value`)
  const swap = database.prepare(`UPDATE store SET value = ?, expires_at = ? WHERE ${live} AND value = ?`)
  const insert = database.prepare(
    'INSERT INTO store VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at WHERE expires_at <= ?',
  )
  const sweep = database.prepare('DELETE FROM store WHERE expires_at <= ?')

  function toExpiry(ttlMs: number): number {
    if (!(ttlMs > 0)) throw new RangeError(`"ttlMs" must be above 0, got ${ttlMs}`)
    return clock.now() + ttlMs
  }

  return {
    async get(key) {
      return fromRow(get.get(key, clock.now()))
    },
    async put(key, value, ttlMs) {
      const expiresAtMs = toExpiry(ttlMs)
      sweep.run(clock.now())
      put.run(key, JSON.stringify(value), expiresAtMs)
    },
    async take(key) {
      return fromRow(take.get(key, clock.now()))
    },
    async replace(key, expected, next, ttlMs) {
      const expiresAtMs = toExpiry(ttlMs)
      const text = JSON.stringify(next)
      const { changes } =
        expected === undefined
          ? insert.run(key, text, expiresAtMs, clock.now())
          : swap.run(text, expiresAtMs, key, clock.now(), JSON.stringify(expected))
      return changes === 1
    },
    async delete(key) {
      return take.get(key, clock.now()) !== undefined
    },
    close: () => database.close(),
  }
}

function fromRow(row: Record<string, unknown> | undefined) {
  return row && JSON.parse(String(row.value))
}
