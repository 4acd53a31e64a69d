/** The statements that the worker runs for `RecentDeliveries`. Each call is one step of a transaction. */
import { keptDeliveries } from '../../../ports/storage/recent-deliveries.ts'
import type { Database } from '../database/database.ts'

export function recentDeliveryStatements({ sql }: Database) {
  function append(device: string, count: number, endedAtMs: number, value: string): void {
    const row = sql(
      `INSERT INTO recent_delivery (device, number, ended_at, value)
       SELECT ?1, ifnull(max(number), 0) + ?2, ?3, ?4 FROM recent_delivery WHERE device = ?1 RETURNING number`,
    ).get(device, count, endedAtMs, value)
    sql('DELETE FROM recent_delivery WHERE device = ? AND number <= ?').run(
      device,
      Number(row?.number) - keptDeliveries,
    )
  }
  return {
    /** Per device: the number of deliveries, the time when the last one ended, and their text. */
    'deliveries.keep'(devices: string[], counts: number[], times: number[], values: string[]): void {
      for (const [index, device] of devices.entries()) {
        append(device, counts[index] ?? 0, times[index] ?? 0, values[index] ?? '')
      }
    },
    /** The deliveries that were stored last come first. */
    'deliveries.list'(device: string): string[] {
      return sql('SELECT value FROM recent_delivery WHERE device = ? ORDER BY number DESC')
        .all(device)
        .map((row) => String(row.value))
    },
    'deliveries.sweep'(beforeMs: number): void {
      sql(
        'DELETE FROM recent_delivery WHERE device IN (SELECT device FROM recent_delivery GROUP BY device HAVING MAX(ended_at) < ?)',
      ).run(beforeMs)
    },
  }
}
