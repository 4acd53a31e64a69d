/**
 * How long positions have waited: by the clock that nobody can set, within one boot of the machine. Across boots only
 * their times are there, which say something when the clock was set at both; then the age at the start is theirs, and
 * grows by what the process waits.
 */
import type { Clock } from '../../ports.ts'
import type { SpoolEntry } from '../spool.ts'
import type { SpoolRecord } from './record.ts'

/** What the record of the clock says about the positions after it. */
export interface ClockNote {
  boot: string
  elapsedMs: number
  nowMs: number
}

export interface Ages {
  /** Names the boot of the machine; where the system has no name for it, this process. */
  readonly boot: string
  /** When a position of a file was appended, by `Clock.elapsed()`; undefined for one of an earlier boot. */
  toWaitingSinceMs(spooledAtMs: number, note: ClockNote | undefined): number | undefined
  /** Since when the position has waited, by `Clock.elapsed()`, as far as its time says. */
  sinceMs(entry: Pick<SpoolEntry, 'spooledAtMs' | 'waitingSinceMs'>): number
  elapsedMs(): number
}

// Times before this come from a clock that was not set, and say nothing about the age.
const plausibleMs = Date.UTC(2024, 0, 1)
/** The clocks of two processes differ by less. */
const toleranceMs = 1_000

export function createAges(boot: string, clock: Clock): Ages {
  const start = { nowMs: clock.now(), elapsedMs: clock.elapsed() }
  return {
    boot,
    toWaitingSinceMs(spooledAtMs, note) {
      if (note?.boot !== boot) return undefined
      const sinceMs = spooledAtMs - note.nowMs + note.elapsedMs
      return sinceMs <= clock.elapsed() + toleranceMs ? sinceMs : undefined
    },
    sinceMs({ spooledAtMs, waitingSinceMs }) {
      if (waitingSinceMs !== undefined) return waitingSinceMs
      return start.elapsedMs - (spooledAtMs > plausibleMs ? Math.max(0, start.nowMs - spooledAtMs) : 0)
    },
    elapsedMs: clock.elapsed,
  }
}

/** The records of entries, with a note of the clock where the ones before say another one, or none. */
export function withClockNotes(
  entries: readonly SpoolEntry[],
  before: ClockNote | undefined,
  boot: string,
): { records: SpoolRecord[]; note: ClockNote | undefined } {
  const records: SpoolRecord[] = []
  let note = before
  for (const { sequence, json, spooledAtMs, waitingSinceMs } of entries) {
    const next = waitingSinceMs === undefined ? undefined : { boot, elapsedMs: waitingSinceMs, nowMs: spooledAtMs }
    if (!isSameClock(note, next)) {
      note = next
      const { elapsedMs: first, nowMs: second, boot: text } = next ?? { elapsedMs: 0, nowMs: 0, boot: '' }
      records.push({ kind: 'clock', first, second, text })
    }
    records.push({ kind: 'position', first: sequence, second: spooledAtMs, text: json })
  }
  return { records, note }
}

/** Whether both say the same about a position, within a tenth of a second. */
function isSameClock(one: ClockNote | undefined, other: ClockNote | undefined): boolean {
  if (!one || !other) return one === other
  return Math.abs(one.nowMs - one.elapsedMs - other.nowMs + other.elapsedMs) <= 100
}
