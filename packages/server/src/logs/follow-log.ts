/**
 * The loop of a consumer of a log: lease queues, work on each of them, settle, repeat.
 * In: a log and the work for one lease. Out: a follower that continues after every failure until it is stopped.
 */
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../ports/clock.ts'
import type { Lease, Log, Settlement } from '../ports/storage/log.ts'

/** A lease, and the time until which this process certainly holds it. */
export interface FollowedLease extends Lease {
  leasedUntilMs: number
}

export interface FollowOptions {
  log: Log
  clock: Clock
  /** Limit of queues in work at the same time. */
  queues: number
  /** Entries per lease. */
  entries: number
  leaseMs: number
  /**
   * Under load, queues are leased only after this many turns of the event loop, so that each lease has more entries.
   * Default 0.
   */
  gatherTurns?: number
  /**
   * Returns how the lease ends; after an error the queue is leased again in 1 s. It must check `leasedUntilMs` before each
   * step that is visible outside: a process that hung may have lost the lease to another.
   * @param stopping Aborts when the follower stops. The work then starts no further step and settles the finished ones.
   */
  work(lease: FollowedLease, stopping: AbortSignal): Promise<Settlement>
  onError(error: unknown): void
}

export interface Follower {
  /** Resolves when no work is left and all of it is settled. */
  stop(): Promise<void>
}

/** Limit of the time that a queue waits after the end of its cooldown. */
const pollMs = 250
const cooldownMs = 1_000
/** Notifications between two leases that count as load. */
const busyFrom = 8

export function followLog({
  log,
  clock,
  queues,
  entries,
  leaseMs,
  gatherTurns = 0,
  work,
  onError,
}: FollowOptions): Follower {
  const stopping = new AbortController()
  /** Names of queues in work. A set, because V8 would keep old values of a map that changes often in memory for long. */
  const running = new Set<string>()
  let notified = Promise.withResolvers<void>()
  const notify = () => notified.resolve()
  /** Notifications since the last lease. */
  let arrivals = 0
  const unwatch = log.watch(() => {
    arrivals++
    notify()
  })

  async function finish(lease: FollowedLease): Promise<void> {
    try {
      await settle(lease, await endingOf(lease))
    } finally {
      running.delete(lease.queue)
      notify()
    }
  }

  async function endingOf(lease: FollowedLease): Promise<Settlement> {
    try {
      return await work(lease, stopping.signal)
    } catch (error) {
      onError(error)
      return toCooldown()
    }
  }

  /** Retries while the lease is held, so that finished work is not repeated after an outage of the store. */
  async function settle(lease: FollowedLease, settlement: Settlement): Promise<void> {
    for (;;) {
      try {
        await log.settle(lease, settlement)
        return
      } catch (error) {
        onError(error)
      }
      if (stopping.signal.aborted || clock.now() + cooldownMs >= lease.leasedUntilMs) return
      await clock.sleep(cooldownMs, stopping.signal)
    }
  }

  function toCooldown(): Settlement {
    return { accepted: [], retryAtMs: clock.now() + cooldownMs }
  }

  function start(lease: FollowedLease): void {
    if (running.has(lease.queue)) {
      // The earlier lease of this queue expired while its work continues. A queue is not worked on twice at the same time.
      void settle(lease, toCooldown())
      return
    }
    running.add(lease.queue)
    void finish(lease)
  }

  async function leaseFree(): Promise<FollowedLease[]> {
    if (running.size >= queues) return []
    try {
      // Taken before the call, so that it is never later than the end of the lease in the log.
      const leasedUntilMs = clock.now() + leaseMs
      const leases = await log.lease({ queues: queues - running.size, entries, leaseMs })
      return leases.map(({ queue, fence, entries }) => ({ queue, fence, entries, leasedUntilMs }))
    } catch (error) {
      onError(error)
      await clock.sleep(cooldownMs, stopping.signal)
      return []
    }
  }

  /** Under load, lets more entries arrive. */
  async function gather(): Promise<void> {
    if (arrivals < busyFrom) return
    for (let turn = 0; turn < gatherTurns; turn++) await setImmediate()
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      notified = Promise.withResolvers<void>()
      arrivals = 0
      const leases = await leaseFree()
      for (const lease of leases) start(lease)
      if (leases.length === 0) await notified.promise
      await gather()
    }
    while (running.size > 0) {
      notified = Promise.withResolvers<void>()
      await notified.promise
    }
  }

  /** The log does not notify of the end of a cooldown, or of what other processes append. */
  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      await clock.sleep(pollMs, stopping.signal)
      notify()
    }
  }

  const finished = Promise.all([run(), poll()])
  return {
    async stop() {
      stopping.abort()
      unwatch()
      notify()
      await finished
    },
  }
}
