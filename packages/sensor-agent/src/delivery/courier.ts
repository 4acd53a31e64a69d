/**
 * Sends the spool to the service, one request at a time.
 * In: a spool and a function that sends a batch. Out: an empty spool; refused positions are passed to `onRefused`.
 * A batch is sent when it has enough positions, enough bytes, or has waited long enough. Live positions and the backlog
 * of an outage are sent side by side, each in order: see delivery/lanes.ts.
 */

import { AgentError, toReason } from '../errors.ts'
import { backoffMs, withJitterMs } from '../http/backoff.ts'
import type { Random } from '../ports.ts'
import type { SpoolEntry } from '../spool/spool.ts'
import { untilAborted } from '../until-aborted.ts'
import { createLanes, type LanesOptions } from './lanes.ts'
import { createLink, type DeliveryFailure } from './link.ts'
import type { Outcome, SendBatch } from './send-batch.ts'

/** A position that the service will never accept. */
export interface RefusedPosition {
  /** The position as it was reported. */
  json: string
  /** The reason given by the service. */
  reason: string
  status: number
  /** JSON Pointer to the wrong value in the position, if the service named it. */
  pointer?: string
}

/** The outcome of one attempt, with the number of positions. */
export type BatchOutcome =
  | { kind: 'accepted'; positions: number }
  | { kind: 'retry'; positions: number; reason: string; afterMs: number }
  | { kind: 'refused'; positions: number; reason: string; status: number }

export interface CourierOptions extends LanesOptions {
  sendBatch: SendBatch
  /** The positions as they are sent. */
  toTexts(batch: readonly SpoolEntry[]): Promise<string[]>
  random: Random
  onOutcome(outcome: BatchOutcome): void
  onAlarm(error: AgentError): void
  onRefused(refused: RefusedPosition[]): void | Promise<void>
  /** Stops the courier; positions that are being sent stay in the spool. */
  signal: AbortSignal
}

export interface Courier {
  /** Call it after positions were appended to the spool. */
  appended(): void
  /** Sends the positions now in the spool without delay; resolves when they have left the spool. */
  flush(): Promise<void>
  /** Ends the current wait, unless the service asked for it with `Retry-After`. */
  skipBackoff(): void
  counters(): CourierCounters
  /** Resolves when the courier has stopped. */
  ended: Promise<void>
}

interface CourierCounters {
  requests: number
  retries: number
  accepted: number
  refused: number
  backlog: number
  online: boolean | undefined
  lastFailure: DeliveryFailure | undefined
}

type Retry = Extract<Outcome, { kind: 'retry' }>

export function createCourier(options: CourierOptions): Courier {
  const { spool, sendBatch, clock, random, signal } = options
  const lanes = createLanes(options)
  const counters = { requests: 0, retries: 0, accepted: 0, refused: 0 }
  const link = createLink(options)
  let wake = new AbortController()
  let wakesOnAppend = false
  let backoffEnd = new AbortController()
  let attempt = 0
  let flushes: { through: number; resolve(): void; reject(reason: unknown): void }[] = []

  signal.addEventListener('abort', end, { once: true })
  return {
    appended,
    flush,
    skipBackoff,
    counters: () => ({ ...counters, backlog: lanes.backlog(), ...link.state() }),
    ended: run(),
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let positions = 0
      try {
        const batch = await untilBatchIsDue()
        positions = batch.length
        const retry = await deliver(batch)
        if (retry) await pause(retry, positions)
      } catch (cause) {
        const alarm = new AgentError('spool_stuck', `The spool cannot be read or written: ${toReason(cause)}`, {
          cause,
        })
        link.fail(alarm)
        await pause({ kind: 'retry', reason: alarm.message }, positions)
      }
    }
  }

  /** Resolves with an empty batch when the courier is stopped. */
  async function untilBatchIsDue(): Promise<readonly SpoolEntry[]> {
    while (!signal.aborted) {
      const woken = wake.signal
      // From here on, so that a position that is appended while the spool is read ends the wait.
      wakesOnAppend = true
      await resolveFlushes()
      const next = await lanes.next(flushes.length > 0)
      wakesOnAppend &&= !('batch' in next) && next.waitMs === undefined
      if ('batch' in next) return next.batch
      if (next.waitMs === undefined) await untilAborted(woken)
      else await clock.sleep(next.waitMs, woken)
    }
    return []
  }

  /**
   * Resolves with `undefined` when every position of the batch has left the spool, otherwise with the retry to wait
   * for.
   */
  async function deliver(batch: readonly SpoolEntry[]): Promise<Retry | undefined> {
    if (batch.length === 0) return undefined
    counters.requests += 1
    const outcome = await sendBatch(await options.toTexts(batch))
    if (signal.aborted && outcome.kind === 'retry') return outcome
    link.observe(outcome)
    switch (outcome.kind) {
      case 'accepted':
        counters.accepted += await remove(batch)
        options.onOutcome({ kind: 'accepted', positions: batch.length })
        return undefined
      case 'retry':
        return outcome
      case 'refused':
        return refuse(batch, outcome)
      case 'split':
        if (batch.length === 1) return refuse(batch, outcome)
        for (const part of split(batch, outcome.index)) {
          const retry = await deliver(part)
          if (retry) return retry
        }
        return undefined
    }
  }

  async function refuse(
    batch: readonly SpoolEntry[],
    { reason, status, pointer }: Extract<Outcome, { kind: 'refused' | 'split' }>,
  ): Promise<Retry | undefined> {
    const where = pointer === undefined ? {} : { pointer: pointer.replace(/^\/positions\/\d+/, '') }
    try {
      await options.onRefused(batch.map(({ json }) => ({ json, reason, status, ...where })))
    } catch (cause) {
      // The positions stay in the spool, so that onRefused gets them again.
      const message = `"onRefused" failed for positions that the service refused (${reason}): ${toReason(cause)}`
      link.fail(new AgentError('spool_stuck', message, { cause }))
      return { kind: 'retry', reason: message }
    }
    link.refused(reason)
    counters.refused += await remove(batch)
    options.onOutcome({ kind: 'refused', positions: batch.length, reason, status })
    return undefined
  }

  async function remove(batch: readonly SpoolEntry[]): Promise<number> {
    const through = batch.at(-1)?.sequence ?? 0
    const removed = await spool.remove(batch[0]?.sequence ?? 0, through)
    lanes.removed(through)
    attempt = 0
    return removed
  }

  async function pause({ reason, retryAfterMs }: Retry, positions: number): Promise<void> {
    if (signal.aborted) return
    const jitterMs = backoffMs(attempt, random)
    const afterMs = retryAfterMs === undefined ? jitterMs : Math.max(withJitterMs(retryAfterMs, random), jitterMs)
    attempt += 1
    counters.retries += 1
    options.onOutcome({ kind: 'retry', positions, reason, afterMs })
    await clock.sleep(afterMs, retryAfterMs === undefined ? AbortSignal.any([signal, backoffEnd.signal]) : signal)
  }

  function appended(): void {
    lanes.appended()
    if (wakesOnAppend || lanes.isFull()) wakeUp()
  }

  function flush(): Promise<void> {
    const { entries, lastSequence } = spool.counters()
    if (entries === 0) return Promise.resolve()
    if (signal.aborted) return Promise.reject(signal.reason)
    return new Promise((resolve, reject) => {
      flushes.push({ through: lastSequence, resolve, reject })
      wakeUp()
    })
  }

  /** Ends the flushes whose positions have all left the spool. */
  async function resolveFlushes(): Promise<void> {
    if (flushes.length === 0) return
    const [oldest] = await spool.peek(1, 1)
    const isReached = ({ through }: { through: number }) => oldest === undefined || through < oldest.sequence
    const reached = flushes.filter(isReached)
    flushes = flushes.filter((flush) => !isReached(flush))
    for (const { resolve } of reached) resolve()
  }

  function wakeUp(): void {
    // Without a reason abort() allocates an Error.
    wake.abort('woken')
    wakesOnAppend = false
    wake = new AbortController()
  }

  function end(): void {
    for (const { reject } of flushes) reject(signal.reason)
    flushes = []
    wakeUp()
  }

  function skipBackoff(): void {
    backoffEnd.abort()
    backoffEnd = new AbortController()
  }
}

/** Isolates the position that the service named, or halves the batch. */
function split(batch: readonly SpoolEntry[], index: number | undefined): SpoolEntry[][] {
  const cuts = index !== undefined && index < batch.length ? [index, index + 1] : [Math.ceil(batch.length / 2)]
  return [0, ...cuts]
    .map((from, part) => batch.slice(from, cuts[part] ?? batch.length))
    .filter((part) => part.length > 0)
}
