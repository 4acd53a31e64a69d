/**
 * Follows the reports of one device.
 * In: a device. Out: the latest position of each aircraft of the last minute, in the table, once a second.
 */
import type { Device, PositionData, Posrep, RecentPositionReport } from '@posrep/client-sdk'
import { watchRecent } from '@posrep/client-sdk/watch'
import { showMap } from './map.ts'
import { element } from './page.ts'
import { drawTable } from './table.ts'

export interface Aircraft {
  /** Call sign, or else the first identifier. */
  name: string
  position: PositionData
  receivedAtMs: number
}

const shownForMs = 60_000

/** Resolves when the signal aborts. */
export async function showPositions(posrep: Posrep, device: Device, signal: AbortSignal): Promise<void> {
  const aircraft = new Map<string, Aircraft>()
  let lastReportMs: number | undefined

  function draw(): void {
    const now = Date.now()
    for (const [id, { receivedAtMs }] of aircraft) if (now - receivedAtMs > shownForMs) aircraft.delete(id)
    const shown = [...aircraft].sort(([, a], [, b]) => a.name.localeCompare(b.name))
    element('positions').hidden = shown.length === 0
    drawTable(shown)
    element('status').textContent = describe(shown.length, lastReportMs, now)
  }

  showMap(posrep, device, signal)
  draw()
  const timer = setInterval(draw, 1_000)
  signal.addEventListener('abort', () => clearInterval(timer))
  for await (const report of watchRecent(posrep, device.deviceId, { signal, intervalMs: 1_000, history: 30 }))
    add(report)

  function add({ receivedTimeStamp, positions }: RecentPositionReport): void {
    const receivedAtMs = Date.parse(receivedTimeStamp)
    lastReportMs = Math.max(receivedAtMs, lastReportMs ?? 0)
    for (const position of positions) {
      const id = position.target?.ids?.[0]?.id ?? position.id
      const before = aircraft.get(id)
      if (before && before.position.sourceTimeStamp > position.sourceTimeStamp) continue
      // Not every position repeats the call sign.
      const name = callSignOf(position) ?? before?.name ?? id
      aircraft.set(id, { name, position, receivedAtMs })
    }
  }
}

function callSignOf({ target }: PositionData): string | undefined {
  return target?.ids?.find(({ type }) => type === 'CallSign')?.id
}

function describe(count: number, lastReportMs: number | undefined, now: number): string {
  if (lastReportMs === undefined) return 'Waiting for reports. Is the sensor running?'
  const seconds = Math.max(0, Math.round((now - lastReportMs) / 1_000))
  const time = seconds <= 60 ? `${seconds} s ago` : `at ${new Date(lastReportMs).toLocaleTimeString()}`
  return `${count} aircraft, last report ${time}`
}
