/**
 * Carries the spool to the service: one request at a time, oldest first, so that a sensor's order is kept.
 * In: a spool, and a way to send. Out: an empty spool; whatever the service will never take is set aside with its reason.
 * A batch goes when it has enough positions, enough bytes, or has waited long enough.
 */
import { backoffMs, obeyedMs } from './backoff.ts'
import { AgentError, toReason } from './errors.ts'
import type { Clock, Random } from './ports.ts'
import type { Outcome, SendBatch } from './send-batch.ts'
import type { Spool, SpoolEntry } from './spool/spool.ts'

/** A position that the service will never take. */
export interface RefusedPosition {
  /** As it was reported. */
  json: string
  /** What the service said. */
  reason: string
  /** The HTTP status. */
  status: number
  /** JSON Pointer into the position, if the service named the place. */
  pointer?: string
}

/** How one attempt ended, for so many positions. */
export type BatchOutcome =
  | { kind: 'accepted'; positions: number }
  | { kind: 'retry'; positions: number; reason: string; afterMs: number }
  | { kind: 'refused'; positions: number; reason: string; status: number }

export interface CourierOptions {
  spool: Spool
  sendBatch: SendBatch
  batchSize: number
  /** Of the positions alone. */
  batchBytes: number
  maxDelayMs: number
  clock: Clock
  random: Random
  tellOutcome(outcome: BatchOutcome): void
  tellAlarm(error: AgentError): void
  setAside(refused: RefusedPosition[]): void | Promise<void>
  /** Ends the courier; what is under way stays in the spool. */
  signal: AbortSignal
}

export interface Courier {
  /** Something was appended to the spool. */
  appended(): void
  /** Everything that is in the spool now leaves without delay; resolves when it has left. */
  flush(): Promise<void>
  /** Cuts a wait that the service did not ask for. */
  hurry(): void
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
  let impatience = new AbortController()
  let attempt = 0
  let settledThrough = 0
  let flushes: { through: number; resolve(): void; reject(reason: unknown): void }[] = []

  signal.addEventListener('abort', end, { once: true })
  return { appended, flush, hurry, counters: () => ({ ...counters }), ended: run() }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let positions = 0
      try {
        await untilDue()
        if (signal.aborted) return
        const batch = await spool.peek(batchSize, batchBytes)
        positions = batch.length
        const retry = await deliver(batch)
        if (retry) await pause(retry, positions)
      } catch (cause) {
        const alarm = new AgentError('spool_stuck', `The spool cannot be worked off: ${toReason(cause)}`, { cause })
        await pause({ kind: 'retry', reason: alarm.message, alarm }, positions)
      }
    }
  }

  /** Until a batch is full, has waited long enough, or somebody wants it to go. */
  async function untilDue(): Promise<void> {
    while (!signal.aborted) {
      const woken = wake.signal
      if (spool.counters().entries === 0) {
        settle(spool.counters().lastSequence)
        idle = true
        await untilAborted(woken)
        idle = false
        continue
      }
      if (flushes.length > 0 || isFull()) return
      const [oldest] = await spool.peek(1, 1)
      const restMs = (oldest?.spooledAtMs ?? 0) + maxDelayMs - clock.now()
      if (restMs <= 0) return
      // A spool from before a restart may carry times of another clock, so that one full delay is enough.
      await clock.sleep(Math.min(restMs, maxDelayMs), woken)
      if (!woken.aborted) return
    }
  }

  /** Resolves with what is to be waited for, or with nothing once every position of the batch has left the spool. */
  async function deliver(batch: readonly SpoolEntry[]): Promise<Retry | undefined> {
    if (batch.length === 0) return undefined
    counters.requests += 1
    const outcome = await sendBatch(batch.map(({ json }) => json))
    switch (outcome.kind) {
      case 'accepted':
        counters.accepted += await leave(batch)
        options.tellOutcome({ kind: 'accepted', positions: batch.length })
        return undefined
      case 'retry':
        return outcome
      case 'refused':
        return refuse(batch, outcome)
      case 'split':
        if (batch.length === 1) return refuse(batch, outcome)
        for (const part of split(batch, outcome.at)) {
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
    const place = pointer === undefined ? {} : { pointer: pointer.replace(/^\/positions\/\d+/, '') }
    try {
      await options.setAside(batch.map(({ json }) => ({ json, reason, status, ...place })))
    } catch (cause) {
      // They stay in the spool: what is refused must not be lost silently either.
      const message = `What the service refused (${reason}) cannot be set aside: ${toReason(cause)}`
      return { kind: 'retry', reason: message, alarm: new AgentError('spool_stuck', message, { cause }) }
    }
    counters.refused += await leave(batch)
    options.tellOutcome({ kind: 'refused', positions: batch.length, reason, status })
    return undefined
  }

  async function leave(batch: readonly SpoolEntry[]): Promise<number> {
    const through = batch.at(-1)?.sequence ?? 0
    const removed = await spool.remove(through)
    attempt = 0
    settle(through)
    return removed
  }

  async function pause({ reason, retryAfterMs, alarm }: Retry, positions: number): Promise<void> {
    if (signal.aborted) return
    const jitterMs = backoffMs(attempt, random)
    const afterMs = retryAfterMs === undefined ? jitterMs : Math.max(obeyedMs(retryAfterMs, random), jitterMs)
    attempt += 1
    counters.retries += 1
    if (alarm) options.tellAlarm(alarm)
    options.tellOutcome({ kind: 'retry', positions, reason, afterMs })
    await clock.sleep(afterMs, retryAfterMs === undefined ? AbortSignal.any([signal, impatience.signal]) : signal)
  }

  function appended(): void {
    if (idle || isFull()) poke()
  }

  function flush(): Promise<void> {
    const { entries, lastSequence } = spool.counters()
    if (entries === 0) return Promise.resolve()
    if (signal.aborted) return Promise.reject(signal.reason)
    return new Promise((resolve, reject) => {
      flushes.push({ through: lastSequence, resolve, reject })
      poke()
    })
  }

  function settle(through: number): void {
    settledThrough = Math.max(settledThrough, through)
    const reached = flushes.filter((flush) => flush.through <= settledThrough)
    flushes = flushes.filter((flush) => flush.through > settledThrough)
    for (const { resolve } of reached) resolve()
  }

  function isFull(): boolean {
    const { entries, bytes } = spool.counters()
    return entries >= batchSize || bytes + entries - 1 >= batchBytes
  }

  function poke(): void {
    wake.abort()
    wake = new AbortController()
  }

  function end(): void {
    for (const { reject } of flushes) reject(signal.reason)
    flushes = []
    poke()
  }

  function hurry(): void {
    impatience.abort()
    impatience = new AbortController()
  }
}

/** Around the one that the service named, or in the middle. */
function split(batch: readonly SpoolEntry[], at: number | undefined): SpoolEntry[][] {
  const cuts = at !== undefined && at < batch.length ? [at, at + 1] : [Math.ceil(batch.length / 2)]
  return [0, ...cuts]
    .map((from, index) => batch.slice(from, cuts[index] ?? batch.length))
    .filter((part) => part.length > 0)
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
