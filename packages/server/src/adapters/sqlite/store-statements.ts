/** The statements that the worker runs for `Store`. Each call is one step of a transaction. */
import type { Database } from './database/database.ts'

export function storeStatements({ sql }: Database) {
  function get(key: string, nowMs: number): string | undefined {
    return text(sql('SELECT value FROM store WHERE key = ? AND expires_at > ?').get(key, nowMs))
  }
  function put(key: string, value: string, expiresAtMs: number): void {
    sql(
      'INSERT INTO store (key, value, expires_at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at',
    ).run(key, value, expiresAtMs)
  }
  return {
    'store.get': get,
    'store.put': put,
    'store.take'(key: string, nowMs: number): string | undefined {
      return text(sql('DELETE FROM store WHERE key = ? AND expires_at > ? RETURNING value').get(key, nowMs))
    },
    'store.replace'(
      key: string,
      expected: string | undefined,
      next: string,
      expiresAtMs: number,
      nowMs: number,
    ): boolean {
      if (get(key, nowMs) !== expected) return false
      put(key, next, expiresAtMs)
      return true
    },
    'store.sweep'(nowMs: number): void {
      sql('DELETE FROM store WHERE expires_at <= ?').run(nowMs)
    },
  }
}

function text(row: Record<string, unknown> | undefined): string | undefined {
  return row === undefined ? undefined : String(row.value)
}
