/**
 * Keeps the air pictures of accounts current: leases their queues of the `AirLog`, one process per account.
 * In: the log. Out: pictures in the thread, frames for those who follow them, and snapshots; entries leave the log once
 * a snapshot covers them. See docs/decisions/0054.
 */
import { createLimit } from '../../concurrency/limit.ts'
import { type FollowedLease, type Follower, followLog } from '../../logs/follow-log.ts'
import type { AirNow } from '../../ports/meter.ts'
import type { AirLog, Settlement } from '../../ports/storage/log.ts'
import { AirThreadEnded } from '../thread/thread-ended.ts'
import { createCrashes } from './crashes.ts'
import type { Frames } from './frames.ts'
import { type HeldPicture, type HeldPictureOptions, openHeldPicture } from './held-picture.ts'

export interface AirWorkerOptions extends Omit<HeldPictureOptions, 'accountId' | 'limit' | 'crashes'> {
  airLog: AirLog
  frames: Pick<Frames, 'attach' | 'opened'>
}

/** Accounts whose pictures are in memory. */
const maxAccounts = 500
/** After a process died, another one takes its accounts over when the leases have expired. */
const leaseMs = 15_000
/**
 * A process works on a queue for this long. Then it settles what a snapshot covers, and leases it again. At least twice
 * this time is left for that before the lease expires.
 */
const tenureMs = 5_000
/** What is read from the log at once. */
const pageEntries = 64
/** Requests with reports on their way to the thread. */
const maxRequests = 8
/** How often the log is asked for entries. Being told of each one would cost the ingest more. */
const pollMs = { busy: 150, idle: 500 }
const busyMs = 30_000
/** A queue that is not leased again for so long has gone to another process, which has the picture then. */
const keepMs = 2_000
/** How often the thread gets the time. */
const timeEveryMs = 200

export function startAirWorker({ airLog, frames, ...options }: AirWorkerOptions): Follower {
  const { thread, clock, meter, logger } = options
  const limit = createLimit({ maxRunning: maxRequests })
  const crashes = createCrashes()
  const held = new Map<string, HeldPicture>()
  /** When the last tenure of an account ended; none while one is running. */
  const endedAtMs = new Map<string, number>()
  frames.attach({ thread, isHeld: (accountId) => held.has(accountId) })
  const stopped = new AbortController()
  let isSendingTime = false

  async function hold(accountId: string): Promise<HeldPicture> {
    const known = held.get(accountId)
    if (known && (await known.isCurrent())) return known
    held.delete(accountId)
    const picture = await openHeldPicture({ ...options, accountId, limit, crashes })
    held.set(accountId, picture)
    void sendTime()
    await frames.opened(accountId)
    return picture
  }

  function release(accountId: string): void {
    held.delete(accountId)
    endedAtMs.delete(accountId)
    thread.command({ kind: 'close', accountId })
  }

  function releaseLeft(): void {
    for (const [accountId, atMs] of endedAtMs) if (clock.now() - atMs > keepMs) release(accountId)
  }

  async function work(lease: FollowedLease, stopping: AbortSignal): Promise<Settlement> {
    const { queue: accountId } = lease
    endedAtMs.delete(accountId)
    try {
      const picture = await hold(accountId)
      const untilMs = Math.min(clock.now() + tenureMs, lease.leasedUntilMs - 2 * tenureMs)
      await picture.process(lease.entries, untilMs)
      await follow(accountId, picture, untilMs, stopping)
      const accepted = stopping.aborted ? [] : await picture.saveIfDue()
      endedAtMs.set(accountId, clock.now())
      if (picture.isResting()) release(accountId)
      meter.pictures(sumOf([...held.values()].map(({ now }) => now())))
      return { accepted }
    } catch (error) {
      release(accountId)
      throw error
    }
  }

  /** Processes what is in the queue and what arrives, until the end of the tenure. */
  async function follow(
    accountId: string,
    picture: HeldPicture,
    untilMs: number,
    stopping: AbortSignal,
  ): Promise<void> {
    let busyUntilMs = clock.now() + busyMs
    while (!stopping.aborted && clock.now() < untilMs) {
      const entries = await airLog.list(accountId, { afterSeq: picture.lastSeq(), limit: pageEntries })
      if (entries.length > 0) {
        await picture.process(entries, untilMs)
        busyUntilMs = clock.now() + busyMs
      }
      if (entries.length === pageEntries) continue
      const waitMs = clock.now() < busyUntilMs ? pollMs.busy : pollMs.idle
      await clock.sleep(Math.min(waitMs, untilMs - clock.now()), stopping)
    }
  }

  /** Ends when no picture is held. */
  async function sendTime(): Promise<void> {
    if (isSendingTime) return
    isSendingTime = true
    while (held.size > 0 && !stopped.signal.aborted) {
      releaseLeft()
      thread.command({ kind: 'time', nowMs: clock.now() })
      await clock.sleep(timeEveryMs, stopped.signal)
    }
    isSendingTime = false
  }

  const follower = followLog({
    // Its own poll is enough, see `pollMs`.
    log: { ...airLog, watch: () => () => {} },
    clock,
    queues: maxAccounts,
    entries: 1,
    leaseMs,
    work,
    onError(error) {
      if (stopped.signal.aborted && error instanceof AirThreadEnded) return
      logger.warn({ err: error }, 'the air picture could not be updated; retrying in 1 s')
    },
  })

  return {
    async stop() {
      stopped.abort()
      await follower.stop()
    },
  }
}

function sumOf(pictures: readonly AirNow[]): AirNow {
  const sum: AirNow = { targets: 0, crowded: 0, moreAlerts: 0 }
  for (const { targets, crowded, moreAlerts } of pictures) {
    sum.targets += targets
    sum.crowded += crowded
    sum.moreAlerts += moreAlerts
  }
  return sum
}
