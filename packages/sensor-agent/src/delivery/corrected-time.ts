/**
 * Corrects the time of a position that has this machine's time, when it turns out that the clock was wrong at that
 * moment.
 * In: a spool entry. Out: its JSON, unchanged, or with the time at which it was appended by what is known now: the
 * service's time less what the position has waited.
 */
import type { Clock } from '../ports.ts'
import { isAgentTime } from '../sources/agent-time.ts'
import type { SpoolEntry } from '../spool/spool.ts'

/** The same time, within what a `Date` header says. */
const toleranceMs = 1_000

export interface CorrectedTimeOptions {
  clock: Clock
  /** What the times of this machine's clock need now. */
  correctionMs(): number
  /** Whether the service has told its time. */
  isKnown(): boolean
  /** Asks for it. */
  ask(): Promise<unknown>
}

export function createCorrectedTime({ clock, correctionMs, isKnown, ask }: CorrectedTimeOptions) {
  return async (batch: readonly SpoolEntry[]): Promise<string[]> => {
    if (!isKnown() && batch.some(mayHaveAgentTime)) await ask()
    return batch.map(correct)
  }

  function correct(entry: SpoolEntry): string {
    const { json, spooledAtMs, waitingSinceMs } = entry
    if (waitingSinceMs === undefined || !mayHaveAgentTime(entry)) return json
    const appendedAtMs = clock.now() + correctionMs() - (clock.elapsed() - waitingSinceMs)
    const byMs = Math.round(appendedAtMs - spooledAtMs)
    return Math.abs(byMs) > toleranceMs ? shifted(json, byMs) : json
  }
}

/** Without parsing it. */
function mayHaveAgentTime({ json }: SpoolEntry): boolean {
  return json.includes('"agent"')
}

function shifted(json: string, byMs: number): string {
  // report() has checked the position.
  const position = JSON.parse(json) as { sourceTimeStamp: string }
  if (!isAgentTime(position)) return json
  const sourceTimeStamp = new Date(Date.parse(position.sourceTimeStamp) + byMs).toISOString()
  return JSON.stringify({ ...position, sourceTimeStamp })
}
