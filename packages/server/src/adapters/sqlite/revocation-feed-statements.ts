/** The statements that the worker runs for `RevocationFeed`. Each call is one step of a transaction. */
import type { Revocation } from '../../ports/storage/revocation-feed.ts'
import type { Database } from './database/database.ts'

export interface RevocationPage {
  revocations: Revocation[]
  /** The seq of the last row that was read. */
  seq: number
}

export function revocationStatements({ sql }: Database) {
  return {
    'revocation.announce'({ subject, atMs }: Revocation, expiresAtMs: number, nowMs: number): void {
      sql('DELETE FROM revocation WHERE expires_at <= ?').run(nowMs)
      const before = sql('DELETE FROM revocation WHERE subject = ? RETURNING at, expires_at').get(subject)
      // A new row gets a higher seq, so that a reader whose cursor is after the old row finds it.
      sql('INSERT INTO revocation (subject, at, expires_at) VALUES (?, ?, ?)').run(
        subject,
        Math.max(atMs, Number(before?.at ?? atMs)),
        Math.max(expiresAtMs, Number(before?.expires_at ?? 0)),
      )
    },
    'revocation.find'(subjects: string[], nowMs: number): Revocation[] {
      return subjects.flatMap((subject) => {
        const row = sql('SELECT at FROM revocation WHERE subject = ? AND expires_at > ?').get(subject, nowMs)
        return row ? [{ subject, atMs: Number(row.at) }] : []
      })
    },
    'revocation.read'(afterSeq: number, limit: number, nowMs: number): RevocationPage {
      const rows = sql(
        'SELECT seq, subject, at FROM revocation WHERE seq > ? AND expires_at > ? ORDER BY seq LIMIT ?',
      ).all(afterSeq, nowMs, limit)
      return {
        revocations: rows.map((row) => ({ subject: String(row.subject), atMs: Number(row.at) })),
        seq: Number(rows.at(-1)?.seq ?? afterSeq),
      }
    },
  }
}
