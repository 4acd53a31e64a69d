/**
 * The loop of a consumer of a log: lease queues, work on each of them, settle, repeat.
 * In: a log and the work for one lease. Out: a follower that continues after every failure until it is stopped.
 */
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../ports/clock.ts'
import type { Lease, Log, Settlement } from '../ports/log.ts'

/** A lease, and until when this process certainly holds it. */
export interface HeldLease extends Lease {
  heldUntilMs: number
}

export interface FollowOptions {
  log: Log
  clock: Clock
  /** Queues that are worked on at the same time. */
  lines: number
  /** Entries per lease. */
  entries: number
  leaseMs: number
  /**
   * Under load, queues are leased only after this many turns of the event loop, so that each lease has more entries.
   * Default 0.
   */
  gatherTurns?: number
  /**
   * Returns how the lease ends; after an error the queue is leased again in 1 s. It must check `heldUntilMs` before each
   * step that is visible outside: a process that hung may have lost the lease to another.
   * @param stopping Aborts when the follower stops: begin no further step, and settle the finished ones.
   */
  work(lease: HeldLease, stopping: AbortSignal): Promise<Settlement>
  onError(error: unknown): void
}

export interface Follower {
  /** Resolves when no work is left and all of it is settled. */
  stop(): Promise<void>
}

/** The longest that a queue waits after its cooldown. */
const pollMs = 250
const cooldownMs = 1_000
/** Notifications between two leases that count as load. */
const busyFrom = 8

export function followLog({
  log,
  clock,
  lines,
  entries,
  leaseMs,
  gatherTurns = 0,
  work,
  onError,
}: FollowOptions): Follower {
  const stopping = new AbortController()
  /** Queues in work. A set of names: V8 would keep the values of a map with many changes in memory for long. */
  const running = new Set<string>()
  let notified = Promise.withResolvers<void>()
  const notify = () => notified.resolve()
  /** Notifications since the last lease. */
  let arrivals = 0
  const unwatch = log.watch(() => {
    arrivals++
    notify()
  })

  async function finish(lease: HeldLease): Promise<void> {
    try {
      await settle(lease, await endingOf(lease))
    } finally {
      running.delete(lease.line)
      notify()
    }
  }

  async function endingOf(lease: HeldLease): Promise<Settlement> {
    try {
      return await work(lease, stopping.signal)
    } catch (error) {
      onError(error)
      return toCooldown()
    }
  }

  /** Retries while the lease is held, so that an outage of the store does not repeat work that is done. */
  async function settle(lease: HeldLease, settlement: Settlement): Promise<void> {
    for (;;) {
      try {
        await log.settle(lease, settlement)
        return
      } catch (error) {
        onError(error)
      }
      if (stopping.signal.aborted || clock.now() + cooldownMs >= lease.heldUntilMs) return
      await clock.sleep(cooldownMs, stopping.signal)
    }
  }

  function toCooldown(): Settlement {
    return { accepted: [], holdUntilMs: clock.now() + cooldownMs }
  }

  function start(lease: HeldLease): void {
    if (running.has(lease.line)) {
      // The earlier lease of this queue ran out while its work goes on. The work does not begin twice at the same time.
      void settle(lease, toCooldown())
      return
    }
    running.add(lease.line)
    void finish(lease)
  }

  async function leaseFree(): Promise<HeldLease[]> {
    if (running.size >= lines) return []
    try {
      // Taken before the call, so that it is never later than the end of the lease in the log.
      const heldUntilMs = clock.now() + leaseMs
      const leases = await log.lease({ lines: lines - running.size, entries, leaseMs })
      return leases.map(({ line, fence, entries }) => ({ line, fence, entries, heldUntilMs }))
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
