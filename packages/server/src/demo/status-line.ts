/** The demo's status line: positions accepted, processed and relayed per second, and the pipeline's lag. */
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { MeterTotals } from '../service/metrics.ts'

/** `line`: one line that is overwritten, for terminals. `lines`: a new line each time. `log`: a log line. */
export type StatusLineStyle = 'line' | 'lines' | 'log'

export interface StatusLineOptions {
  totals(): MeterTotals
  /** Positions that the demo's relay has received. */
  received(): number
  clock: Clock
  logger: Logger
  style: StatusLineStyle
  /** The width of the terminal, as it is now; the figures that do not fit are left out, so that it stays one line. */
  columns(): number
  write(text: string): void
}

const everyMs: Record<StatusLineStyle, number> = { line: 1_000, lines: 5_000, log: 5_000 }
/** The first line is printed earlier, as a sign that the demo works. */
const firstAfterMs = 2_000

/** Returns a function that stops it. */
export function startStatusLine({
  totals,
  received,
  clock,
  logger,
  style,
  columns,
  write,
}: StatusLineOptions): () => void {
  const stopping = new AbortController()
  void run()
  return () => {
    stopping.abort()
    if (style === 'line') write('\n')
  }

  async function run(): Promise<void> {
    let before = { ...totals(), received: received(), atMs: clock.now() }
    let waitMs = Math.min(firstAfterMs, everyMs[style])
    while (!stopping.signal.aborted) {
      await clock.sleep(waitMs, stopping.signal)
      waitMs = everyMs[style]
      if (stopping.signal.aborted) return
      const now = { ...totals(), received: received(), atMs: clock.now() }
      show(toRates(before, now))
      before = now
    }
  }

  function show(rates: Rates): void {
    if (style === 'log') logger.info({ traffic: rates }, 'traffic')
    else if (style === 'line') write(`\r\u001b[2K${toLine(rates, columns() - 1)}`)
    else write(`${toLine(rates)}\n`)
  }
}

interface Rates {
  acceptedPerSecond: number
  processedPerSecond: number
  relayedPerSecond: number
  lagMs: number
  receivedTotal: number
}

type Sample = MeterTotals & { received: number; atMs: number }

function toRates(before: Sample, now: Sample): Rates {
  const perSecond = (a: number, b: number) => Math.round(((b - a) * 10_000) / Math.max(1, now.atMs - before.atMs)) / 10
  return {
    acceptedPerSecond: perSecond(before.acceptedPositions, now.acceptedPositions),
    processedPerSecond: perSecond(before.processedPositions, now.processedPositions),
    relayedPerSecond: perSecond(before.relayedPositions, now.relayedPositions),
    lagMs: now.lagMs,
    receivedTotal: now.received,
  }
}

/** A figure is whole or left out: a part of a number would be another number. */
function toLine(rates: Rates, maxLength = Number.POSITIVE_INFINITY): string {
  const rate = (value: number) => value.toFixed(1).padStart(5)
  const figures = [
    `accepted ${rate(rates.acceptedPerSecond)}`,
    `processed ${rate(rates.processedPerSecond)}`,
    `relayed ${rate(rates.relayedPerSecond)}`,
    `lag ${rates.lagMs} ms`,
    `total ${rates.receivedTotal}`,
  ]
  let line = 'positions/s'
  for (const figure of figures) {
    if (line.length + 2 + figure.length > maxLength) break
    line += `  ${figure}`
  }
  return line
}
