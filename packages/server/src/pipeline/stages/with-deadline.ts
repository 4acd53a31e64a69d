/**
 * Adds a deadline to an integrator's stage, because such a stage may never end.
 * In: the stage. Out: a stage that fails after the deadline. The report is retried and then buried, as after any error,
 * and the device's queue continues.
 */
import { withDeadline as endInTime } from '@posrep/kernel/with-deadline'
import type { Clock } from '../../ports/clock.ts'
import type { Stage } from '../stage.ts'

/** Two runs, one with all reports and one with a single report, take much less than a lease. */
const deadlineMs = 10_000

const onLate = () => new Error(`It took longer than ${deadlineMs / 1_000} s`)

export function withDeadline(stage: Stage, clock: Clock): Stage {
  return {
    name: stage.name,
    forget: (report) => stage.forget?.(report),
    run(reports) {
      const running = stage.run(reports)
      // Most stages are synchronous and need no timer.
      return running && endInTime({ clock, ms: deadlineMs, onLate }, () => running)
    },
  }
}
