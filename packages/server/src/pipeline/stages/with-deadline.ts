/**
 * Adds a deadline to an integrator's stage, because such a stage may never end.
 * In: the stage. Out: a stage that fails after the deadline. The report is retried and then buried, as after any error, and
 * the device's queue continues.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Stage } from '../stage.ts'

/** Two runs, one with all reports and one with a single report, take much less than a lease. */
const deadlineMs = 10_000

export function withDeadline(stage: Stage, clock: Clock): Stage {
  return {
    name: stage.name,
    forget: (report) => stage.forget?.(report),
    run(reports) {
      const running = stage.run(reports)
      // Most stages are synchronous and need no timer.
      return running && endInTime(running, clock)
    },
  }
}

async function endInTime(running: Promise<void>, clock: Clock): Promise<void> {
  const ended = new AbortController()
  const late = clock.sleep(deadlineMs, ended.signal).then(() => {
    if (!ended.signal.aborted) throw new Error(`It took longer than ${deadlineMs / 1_000} s`)
  })
  try {
    await Promise.race([running, late])
  } finally {
    ended.abort()
  }
}
