/**
 * Sends the spool to the service: one request at a time, oldest position first, so that the sensor's order is kept.
 * In: a spool and a function that sends a batch. Out: an empty spool; refused positions are passed to `onRefused`.
 * A batch is sent when it has enough positions, enough bytes, or has waited long enough.
 */
import { backoffMs, withJitterMs } from './backoff.ts'
import { AgentError, toReason } from './errors.ts'
import type { Clock, Random } from './ports.ts'
import type { Outcome, SendBatch } from './send-batch.ts'
import type { Spool, SpoolEntry } from './spool/spool.ts'

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

export interface CourierOptions {
  spool: Spool
  sendBatch: SendBatch
  batchSize: number
  /** Limit of the positions' bytes, without the rest of the body. */
  batchBytes: number
  maxDelayMs: number
  clock: Clock
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
}

type Retry = Extract<Outcome, { kind: 'retry' }>

export function createCourier(options: CourierOptions): Courier {
  const { spool, sendBatch, batchSize, batchBytes, maxDelayMs, clock, random, signal } = options
  const counters: CourierCounters = { requests: 0, retries: 0, accepted: 0, refused: 0 }
  let wake = new AbortController()
  let idle = false
  let backoffEnd = new AbortController()
  let attempt = 0
  let removedThrough = 0
  let flushes: { through: number; resolve(): void; reject(reason: unknown): void }[] = []

  signal.addEventListener('abort', end, { once: true })
  return { appended, flush, skipBackoff, counters: () => ({ ...counters }), ended: run() }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let positions = 0
      try {
        await untilBatchIsDue()
        if (signal.aborted) return
        const batch = await spool.peek(batchSize, batchBytes)
        positions = batch.length
        const retry = await deliver(batch)
        if (retry) await pause(retry, positions)
      } catch (cause) {
        const alarm = new AgentError('spool_stuck', `The spool cannot be read or written: ${toReason(cause)}`, {
          cause,
        })
        await pause({ kind: 'retry', reason: alarm.message, alarm }, positions)
      }
    }
  }

  /** Waits until a batch is full, has waited long enough, or flush() was called. */
  async function untilBatchIsDue(): Promise<void> {
    while (!signal.aborted) {
      const woken = wake.signal
      if (spool.counters().entries === 0) {
        resolveFlushes(spool.counters().lastSequence)
        idle = true
        await untilAborted(woken)
        idle = false
        continue
      }
      if (flushes.length > 0 || isFull()) return
      const [oldest] = await spool.peek(1, 1)
      const remainingMs = (oldest?.spooledAtMs ?? 0) + maxDelayMs - clock.now()
      if (remainingMs <= 0) return
      // After a restart the spool's times may come from another clock, so the wait is at most one full delay.
      await clock.sleep(Math.min(remainingMs, maxDelayMs), woken)
      if (!woken.aborted) return
    }
  }

  /** Resolves with `undefined` when every position of the batch has left the spool, otherwise with the retry to wait for. */
  async function deliver(batch: readonly SpoolEntry[]): Promise<Retry | undefined> {
    if (batch.length === 0) return undefined
    counters.requests += 1
    const outcome = await sendBatch(batch.map(({ json }) => json))
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
      return { kind: 'retry', reason: message, alarm: new AgentError('spool_stuck', message, { cause }) }
    }
    counters.refused += await remove(batch)
    options.onOutcome({ kind: 'refused', positions: batch.length, reason, status })
    return undefined
  }

  async function remove(batch: readonly SpoolEntry[]): Promise<number> {
    const through = batch.at(-1)?.sequence ?? 0
    const removed = await spool.remove(through)
    attempt = 0
    resolveFlushes(through)
    return removed
  }

  async function pause({ reason, retryAfterMs, alarm }: Retry, positions: number): Promise<void> {
    if (signal.aborted) return
    const jitterMs = backoffMs(attempt, random)
    const afterMs = retryAfterMs === undefined ? jitterMs : Math.max(withJitterMs(retryAfterMs, random), jitterMs)
    attempt += 1
    counters.retries += 1
    if (alarm) options.onAlarm(alarm)
    options.onOutcome({ kind: 'retry', positions, reason, afterMs })
    await clock.sleep(afterMs, retryAfterMs === undefined ? AbortSignal.any([signal, backoffEnd.signal]) : signal)
  }

  function appended(): void {
    if (idle || isFull()) wakeUp()
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

  function resolveFlushes(through: number): void {
    removedThrough = Math.max(removedThrough, through)
    const reached = flushes.filter((flush) => flush.through <= removedThrough)
    flushes = flushes.filter((flush) => flush.through > removedThrough)
    for (const { resolve } of reached) resolve()
  }

  function isFull(): boolean {
    const { entries, bytes } = spool.counters()
    return entries >= batchSize || bytes + entries - 1 >= batchBytes
  }

  function wakeUp(): void {
    wake.abort()
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

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
