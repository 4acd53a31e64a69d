/**
 * How a consumer follows a log: lease lines, work on each alone, settle, again.
 * In: a log and the work for one lease. Out: a follower that keeps going through every failure until it is stopped.
 */
import { setImmediate } from 'node:timers/promises'
import type { Clock } from './clock.ts'
import type { Lease, Log, Settlement } from './log.ts'

/** A lease, and until when it is ours for sure: whoever was stopped meanwhile goes no step further on it. */
export interface HeldLease extends Lease {
  heldUntilMs: number
}

export interface FollowOptions {
  log: Log
  clock: Clock
  /** Lines worked on at the same time. */
  lines: number
  /** Entries of one line per lease. */
  entries: number
  leaseMs: number
  /**
   * Where much comes, lines are leased only after so many turns of the event loop: then there is more to each, and what a
   * lease costs is shared. Default 0.
   */
  gatherTurns?: number
  /**
   * Ends the lease. One that throws lets the line rest and be leased again. Before each step that others can see it
   * looks whether the lease is still held; a process that hung may have lost it to another.
   * @param stopping Aborts when the follower is to stop: take up nothing more, and settle what was done.
   */
  work(lease: HeldLease, stopping: AbortSignal): Promise<Settlement>
  onError(error: unknown): void
}

export interface Follower {
  /** Leases no more and resolves when the work under way has been settled. */
  stop(): Promise<void>
}

/** Also the longest that a rested line waits beyond its time. */
const pollMs = 250
const restMs = 1_000
/** Arrivals between two looks from which on much comes. */
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
  /** Lines that are worked on. Names only: V8 keeps what was in a map of many changes for long. */
  const running = new Set<string>()
  let notified = Promise.withResolvers<void>()
  const notify = () => notified.resolve()
  /** Since lines were leased. */
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
      return toRest()
    }
  }

  /** Again until the store takes it, as long as the lease is held: what was done need not be done twice for an outage. */
  async function settle(lease: HeldLease, settlement: Settlement): Promise<void> {
    for (;;) {
      try {
        await log.settle(lease, settlement)
        return
      } catch (error) {
        onError(error)
      }
      if (stopping.signal.aborted || clock.now() + restMs >= lease.heldUntilMs) return
      await clock.sleep(restMs, stopping.signal)
    }
  }

  function toRest(): Settlement {
    return { accepted: [], holdUntilMs: clock.now() + restMs }
  }

  function start(lease: HeldLease): void {
    if (running.has(lease.line)) {
      // The lease ran out under our hands: nothing is begun a second time beside that, and others may have the line soon.
      void settle(lease, toRest())
      return
    }
    running.add(lease.line)
    void finish(lease)
  }

  async function leaseFree(): Promise<HeldLease[]> {
    if (running.size >= lines) return []
    try {
      // From before it is asked for, so that it is never later than what the log thinks.
      const heldUntilMs = clock.now() + leaseMs
      const leases = await log.lease({ lines: lines - running.size, entries, leaseMs })
      return leases.map(({ line, fence, entries }) => ({ line, fence, entries, heldUntilMs }))
    } catch (error) {
      onError(error)
      await clock.sleep(restMs, stopping.signal)
      return []
    }
  }

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

  /** Nobody tells that a line has rested, or what other processes append. */
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
