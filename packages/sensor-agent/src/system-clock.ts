/**
 * The agent's time, over the clocks of the machine.
 * In: the wall clock; the monotonic clock; the time since the boot. Out: `Clock`.
 */
import { sleep } from '@posrep/kernel/sleep'
import { createSteadyTime, type TimeSources as SteadySources } from '@posrep/kernel/steady-time'

export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. Follows the wall clock and never goes backwards within a process. */
  now(): number
  /**
   * Milliseconds that pass since any moment, also while the machine is suspended; nobody can set them. How long
   * something has waited is measured with it. Processes of one boot of a machine share the moment, where the system
   * knows it.
   */
  elapsed(): number
  /**
   * How far the wall clock was set back and `now` has not followed yet, in ms. More than 10 minutes are never followed.
   */
  setBackMs(): number
  /** Resolves after `ms`, or at once when `signal` aborts; it never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export interface TimeSources extends SteadySources {
  /** Milliseconds since the machine's boot, also those in which it was suspended. May be coarse. */
  uptime(): number
}

/** A suspended machine is noticed within this time. */
const lookForSuspendEveryMs = 1_000

export function createSystemClock({ wallTime, monotonicTime, uptime }: TimeSources): Clock {
  const { now, setBackMs } = createSteadyTime({ wallTime, monotonicTime })
  let lookedAtMs = monotonicTime()
  /** The time since the boot minus the monotonic clock. */
  let bootedMs = uptime() - lookedAtMs

  return {
    now,
    setBackMs,
    elapsed() {
      const atMs = monotonicTime()
      if (atMs - lookedAtMs >= lookForSuspendEveryMs) {
        lookedAtMs = atMs
        const suspendedMs = uptime() - atMs - bootedMs
        if (suspendedMs >= lookForSuspendEveryMs) bootedMs += suspendedMs
      }
      return atMs + bootedMs
    },
    sleep,
  }
}
