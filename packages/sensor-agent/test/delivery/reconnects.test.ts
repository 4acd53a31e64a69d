import { expect, test } from 'vitest'
import { createCourier } from '../../src/delivery/courier.ts'
import { backoffMs } from '../../src/http/backoff.ts'
import { memorySpool } from '../../src/spool/memory-spool.ts'
import { createManualClock } from '../support/manual-clock.ts'

/** Reproducible: mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

test('10,000 agents whose service was away for an hour return spread over a minute', () => {
  const random = createRandom(20)
  const hourMs = 3_600_000
  const returnsMs = Array.from({ length: 10_000 }, () => {
    // The agent's attempts until the first one after the service is back.
    let atMs = random() * 1_000
    for (let attempt = 0; atMs < hourMs; attempt += 1) atMs += backoffMs(attempt, random)
    return atMs - hourMs
  })

  const perSecond = new Map<number, number>()
  for (const ms of returnsMs) perSecond.set(Math.floor(ms / 1_000), (perSecond.get(Math.floor(ms / 1_000)) ?? 0) + 1)
  expect(Math.max(...returnsMs)).toBeLessThan(60_000)
  // Without jitter all 10,000 would come in the same second.
  expect(Math.max(...perSecond.values())).toBeLessThan(600)
})

test('agents that fail together do not try again together', async () => {
  const clock = createManualClock()
  const stop = new AbortController()
  const attemptsMs: number[] = []
  const random = createRandom(7)
  for (let agent = 0; agent < 100; agent += 1) {
    const spool = memorySpool()
    await spool.append(['{}'], clock.now())
    createCourier({
      spool,
      sendBatch: Object.assign(
        async () => {
          attemptsMs.push(clock.now())
          return { kind: 'retry' as const, reason: 'down' }
        },
        { envelopeBytes: 0, bytesSent: () => 0 },
      ),
      toTexts: async (batch) => batch.map(({ json }) => json),
      batchSize: 100,
      batchBytes: 100_000,
      maxDelayMs: 0,
      backlogAfterMs: 10_000,
      backlogPerSecond: 500,
      clock,
      random,
      onOutcome: () => undefined,
      onAlarm: () => undefined,
      onRefused: () => undefined,
      signal: stop.signal,
    })
  }

  const startMs = clock.now()
  await clock.advance(60_000)
  stop.abort(new Error('the test is over'))

  const later = attemptsMs.filter((atMs) => atMs > startMs)
  expect(later.length).toBeGreaterThan(300)
  expect(new Set(later).size).toBeGreaterThan(later.length * 0.9)
})
