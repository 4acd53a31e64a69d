/** The default of `onAlarm` and `onPending`: prints each alarm on standard error, the same one at most once an hour. */
import type { Clock } from './ports.ts'

const againAfterMs = 3_600_000

export function createAlarmPrinter(
  clock: Clock,
  print: (line: string) => void = console.error,
): (alarm: { code: string; message: string }) => void {
  const printedAtMs = new Map<string, number>()
  return ({ code, message }) => {
    const key = `${code} ${message}`
    const lastMs = printedAtMs.get(key) ?? Number.NEGATIVE_INFINITY
    if (clock.elapsed() - lastMs < againAfterMs) return
    // Messages may contain times or numbers; the map stays small.
    if (printedAtMs.size >= 100) printedAtMs.clear()
    printedAtMs.set(key, clock.elapsed())
    print(`posrep agent: ${message}`)
  }
}
