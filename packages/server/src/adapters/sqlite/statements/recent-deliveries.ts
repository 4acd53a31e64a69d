/** What the worker does for `RecentDeliveries`; each call is one step of a transaction. */
import type { Database } from '../database.ts'

export function recentDeliveryStatements({ sql }: Database) {
  return {
    /** Column by column: that crosses threads for less. */
    'deliveries.keep'(devices: string[], ids: string[], times: number[], values: string[], perDevice: number): void {
      for (const [index, device] of devices.entries()) {
        // What takes the place of another is a new row, so that rows come in the order in which they were kept.
        sql('INSERT OR REPLACE INTO recent_delivery (device, id, ended_at, value) VALUES (?, ?, ?, ?)').run(
          device,
          ids[index] ?? '',
          times[index] ?? 0,
          values[index] ?? '',
        )
      }
      for (const device of new Set(devices)) {
        sql(
          'DELETE FROM recent_delivery WHERE device = ? AND place <= (SELECT place FROM recent_delivery WHERE device = ? ORDER BY place DESC LIMIT 1 OFFSET ?)',
        ).run(device, device, perDevice)
      }
    },
    'deliveries.list'(device: string): string[] {
      return sql('SELECT value FROM recent_delivery WHERE device = ? ORDER BY place DESC')
        .all(device)
        .map((row) => String(row.value))
    },
    'deliveries.find'(device: string, id: string): string | undefined {
      const row = sql('SELECT value FROM recent_delivery WHERE device = ? AND id = ?').get(device, id)
      return row && String(row.value)
    },
    'deliveries.sweep'(beforeMs: number): void {
      sql(
        'DELETE FROM recent_delivery WHERE device IN (SELECT device FROM recent_delivery GROUP BY device HAVING MAX(ended_at) < ?)',
      ).run(beforeMs)
    },
  }
}
