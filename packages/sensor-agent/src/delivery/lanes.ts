/**
 * Divides the spool into the live positions and the backlog.
 * In: what was appended and removed. Out: the batch to send next, or how long to wait for one.
 * The boundary is a sequence: positions up to it are the backlog, because the agent has had them for too long. It moves
 * only forward, so each lane keeps its order.
 */
import type { Clock } from '../ports.ts'
import type { Spool, SpoolEntry } from '../spool/spool.ts'
import { findLastOld } from './find-last-old.ts'

export interface LanesOptions {
  spool: Spool
  batchSize: number
  batchBytes: number
  /** Longest wait before a partial batch of live positions is due, in ms. */
  maxDelayMs: number
  /** Positions are the backlog when they have waited for this time longer than `maxDelayMs`. */
  backlogAfterMs: number
  /** Pace of the backlog, in positions per second. */
  backlogPerSecond: number
  clock: Clock
}

export interface Lanes {
  /** The batch that is due, or the time until one may be, in ms; without a time, an append is awaited. */
  next(isFlushing: boolean): Promise<{ batch: readonly SpoolEntry[] } | { waitMs: number | undefined }>
  /** Call it after positions were appended. */
  appended(): void
  /** Call it after the positions from one sequence to another have left the spool. */
  removed(throughSequence: number): void
  /** Whether the live positions fill a batch. */
  isFull(): boolean
  /** Number of positions in the backlog. */
  backlog(): number
}

const markEveryMs = 1_000

/** All sequences up to this one were appended by this time. */
interface Mark {
  sequence: number
  sinceMs: number
  untilMs: number
}

export function createLanes(options: LanesOptions): Lanes {
  const { spool, batchSize, batchBytes, maxDelayMs, backlogAfterMs, backlogPerSecond, clock } = options
  const oldAfterMs = maxDelayMs + backlogAfterMs
  // What is in the spool at the start comes from an earlier process; how old it is, is found before the first batch.
  let isStarted = spool.counters().entries === 0
  let boundary = spool.counters().lastSequence
  let hasBacklog = !isStarted
  let backlogAtMs = 0
  let lastWasLive = false
  let liveRemovedThrough = boundary
  let marks: Mark[] = []

  return { next, appended, removed, isFull, backlog }

  async function next(isFlushing: boolean) {
    if (!isStarted) await start()
    fallBehind()
    const live = await spool.peek(batchSize, batchBytes, boundary)
    const liveWaitMs = isFlushing ? 0 : waitMsOf(live)
    const backlogWaitMs = isFlushing ? 0 : Math.max(0, backlogAtMs - clock.elapsed())
    const isLiveDue = live.length > 0 && liveWaitMs <= 0
    // The lanes take turns. While a full batch is live, the link has no room for the backlog.
    if (isLiveDue && !(hasBacklog && backlogWaitMs <= 0 && lastWasLive && (isFlushing || !isFull()))) {
      lastWasLive = true
      return { batch: live }
    }
    if (hasBacklog && backlogWaitMs <= 0) {
      lastWasLive = false
      const batch = (await spool.peek(batchSize, batchBytes)).filter(({ sequence }) => sequence <= boundary)
      backlogAtMs = Math.max(backlogAtMs, clock.elapsed()) + (batch.length / backlogPerSecond) * 1_000
      if (batch.length > 0) return { batch }
      hasBacklog = false
      return { waitMs: 0 }
    }
    const waits = [...(live.length > 0 ? [liveWaitMs] : []), ...(hasBacklog ? [backlogWaitMs] : [])]
    return { waitMs: waits.length === 0 ? undefined : Math.min(...waits) }
  }

  async function start(): Promise<void> {
    const through = boundary
    const atMs = clock.elapsed()
    // Those of an earlier boot of the machine have waited for at least as long as that takes.
    boundary = await findLastOld(
      spool,
      through,
      ({ waitingSinceMs }) => waitingSinceMs === undefined || isOld(waitingSinceMs, atMs),
    )
    liveRemovedThrough = boundary
    if (boundary < through) marks.unshift({ sequence: through, sinceMs: atMs, untilMs: atMs })
    isStarted = true
  }

  function isOld(sinceMs: number, nowMs: number): boolean {
    return nowMs - sinceMs > oldAfterMs
  }

  function waitMsOf([oldest]: readonly SpoolEntry[]): number {
    if (!oldest || isFull()) return 0
    const nowMs = clock.elapsed()
    // Another agent's clock may have written them, so the wait is at most one full delay.
    return Math.min(maxDelayMs, (oldest.waitingSinceMs ?? nowMs) + maxDelayMs - nowMs)
  }

  function isFull(): boolean {
    const { entries, bytes } = spool.counters()
    return liveEntries() >= batchSize || (!hasBacklog && bytes + entries - 1 >= batchBytes)
  }

  function liveEntries(): number {
    return spool.counters().lastSequence - Math.max(boundary, liveRemovedThrough)
  }

  function backlog(): number {
    return hasBacklog ? Math.max(0, spool.counters().entries - liveEntries()) : 0
  }

  function appended(): void {
    if (backlogAfterMs === Number.POSITIVE_INFINITY) return
    const sequence = spool.counters().lastSequence
    const nowMs = clock.elapsed()
    const last = marks.at(-1)
    if (last && nowMs - last.sinceMs < markEveryMs) Object.assign(last, { sequence, untilMs: nowMs })
    else marks.push({ sequence, sinceMs: nowMs, untilMs: nowMs })
    if (marks.length > 2 * (oldAfterMs / markEveryMs) + 2) forgetOldMarks()
  }

  function removed(throughSequence: number): void {
    if (throughSequence > boundary) liveRemovedThrough = Math.max(liveRemovedThrough, throughSequence)
  }

  /** Moves the positions that have waited too long to the backlog. */
  function fallBehind(): void {
    const nowMs = clock.elapsed()
    forgetOldMarks()
    const oldest = marks[0]
    if (!oldest || !isOld(oldest.untilMs, nowMs) || oldest.sequence <= Math.max(boundary, liveRemovedThrough)) return
    boundary = oldest.sequence
    hasBacklog = true
  }

  /** Keeps the newest of the marks that are old enough for the backlog, and those after it. */
  function forgetOldMarks(): void {
    const nowMs = clock.elapsed()
    const old = marks.filter(({ untilMs }) => isOld(untilMs, nowMs)).length
    marks = marks.slice(Math.max(0, old - 1))
  }
}
