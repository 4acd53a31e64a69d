/**
 * The loop of a consumer of a log: lease queues, work on each of them, settle, repeat.
 * In: a log and the work for one lease. Out: a follower that continues after every failure until it is stopped.
 */
import { waitIterations } from '../concurrency/batch.ts'
import type { Clock } from '../ports/clock.ts'
import type { Lease, Log, Settlement } from '../ports/storage/log.ts'

/** A lease, and the time until which this process certainly holds it. */
export interface FollowedLease extends Lease {
  leasedUntilMs: number
}

export interface FollowOptions {
  log: Log
  clock: Clock
  /** Limit of queues that are processed at the same time. */
  queues: number
  /** Entries per lease. */
  entries: number
  /**
   * While the bodies of the leases that are processed have this length together, no queue is leased. Default: no limit.
   */
  size?: number
  leaseMs: number
  /**
   * Under load, the follower waits this many iterations of the event loop before it leases, so that each lease has more
   * entries. Default 0.
   */
  iterationsBeforeLease?: number
  /**
   * Processes a lease and returns its settlement. After an error, the queue is leased again in 1 s. It must check
   * `leasedUntilMs` before each step that others can see: after a hang, another process may hold the lease.
   * @param stopping Aborts when the follower stops. The work then starts no further step and settles the finished ones.
   */
  work(lease: FollowedLease, stopping: AbortSignal): Promise<Settlement>
  onError(error: unknown): void
}

export interface Follower {
  /** Resolves when the work of all leases has ended and is settled. */
  stop(): Promise<void>
}

/** A queue whose cooldown has ended is leased after at most this time. */
const pollMs = 250
const cooldownMs = 1_000
/** "Under load" means at least this many notifications since the last lease. */
const minArrivalsUnderLoad = 8

export function followLog({
  log,
  clock,
  queues,
  entries,
  size: maxSize = Number.POSITIVE_INFINITY,
  leaseMs,
  iterationsBeforeLease = 0,
  work,
  onError,
}: FollowOptions): Follower {
  const waitForMoreEntries = waitIterations(iterationsBeforeLease)
  const stopping = new AbortController()
  /** Queues that are being processed. Not a map: V8 keeps the deleted values of an often-changed map in memory. */
  const running = new Set<string>()
  let runningSize = 0
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
      await settle(lease, await settlementOf(lease))
    } finally {
      running.delete(lease.queue)
      runningSize -= lease.size
      notify()
    }
  }

  async function settlementOf(lease: FollowedLease): Promise<Settlement> {
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
      // The earlier lease of this queue expired while its work continues. A queue is not worked on twice at the same
      // time.
      void settle(lease, toCooldown())
      return
    }
    running.add(lease.queue)
    runningSize += lease.size
    void finish(lease)
  }

  async function leaseQueues(): Promise<FollowedLease[]> {
    if (running.size >= queues || runningSize >= maxSize) return []
    try {
      // Taken before the call, so that it is never later than the end of the lease in the log.
      const leasedUntilMs = clock.now() + leaseMs
      const leases = await log.lease({ queues: queues - running.size, entries, leaseMs })
      return leases.map((lease) => ({ ...lease, leasedUntilMs }))
    } catch (error) {
      onError(error)
      await clock.sleep(cooldownMs, stopping.signal)
      return []
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      notified = Promise.withResolvers<void>()
      arrivals = 0
      const leases = await leaseQueues()
      for (const lease of leases) start(lease)
      if (leases.length === 0) await notified.promise
      if (arrivals >= minArrivalsUnderLoad) await waitForMoreEntries()
    }
    while (running.size > 0) {
      notified = Promise.withResolvers<void>()
      await notified.promise
    }
  }

  /** The log does not notify of the end of a cooldown, or of entries that other processes append. */
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
