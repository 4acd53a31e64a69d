/**
 * A stage of somebody else, which may never end.
 * In: the stage. Out: the same, failing when it takes too long: its report is tried again and then buried, as with one that
 * throws, and its device goes on.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Stage } from '../stage.ts'

/** Together and once alone, this is well within a lease. */
const mostMs = 10_000

export function withDeadline(stage: Stage, clock: Clock): Stage {
  return {
    name: stage.name,
    forget: (report) => stage.forget?.(report),
    run(reports) {
      const running = stage.run(reports)
      // Most stages are done by now.
      return running && endInTime(running, clock)
    },
  }
}

async function endInTime(running: Promise<void>, clock: Clock): Promise<void> {
  const ended = new AbortController()
  const late = clock.sleep(mostMs, ended.signal).then(() => {
    if (!ended.signal.aborted) throw new Error(`It took longer than ${mostMs / 1_000} s`)
  })
  try {
    await Promise.race([running, late])
  } finally {
    ended.abort()
  }
}
