import { expect, test } from 'vitest'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import type { DeviceRecord } from '../../../src/ports/storage/directory.ts'
import { type AfterFailureOptions, afterFailure } from '../../../src/relays/courier/after-failure.ts'
import { deliver } from '../../../src/relays/courier/deliver.ts'
import type { LeaseLedger, PendingDelivery } from '../../../src/relays/courier/lease-ledger.ts'
import type { FailureRecord } from '../../../src/relays/deliveries/queue-failures.ts'
import { RelayFailure } from '../../../src/relays/sender/relay-failure.ts'

const roof1 = 'urn:aa:device:acme:roof1'
const relay = { url: 'https://one.example/', state: 'Active' as const, failureDescription: null, sinceMs: 0 }
const device = { id: roof1, accountId: 'acme', relay } as DeviceRecord
const { signal } = new AbortController()
const nothing = () => {}

const anEntry = (seq: number): PendingDelivery => ({
  seq,
  appendedAtMs: 0,
  delivery: { id: `${roof1}/${seq}`, positions: 1, message: '{}' },
})

/** What `deliver` and `afterFailure` need; `sent` has what was sent, `written` the records of failures. */
function aDelivery({ answers = 15 } = {}) {
  const sent: string[] = []
  const written: FailureRecord[] = []
  const ended: string[] = []
  const clock = createManualClock()
  const failures: FailureRecord = {
    url: relay.url,
    sinceMs: 0,
    head: { seq: 1, attemptCount: answers, attempts: [], answers, firstAnswerAtMs: clock.now() - 60 * 60_000 },
    next: null,
    inARow: answers,
    firstFailedAtMs: clock.now() - 60 * 60_000,
    nextAttemptAtMs: 0,
  }
  const options: AfterFailureOptions = {
    devices: { change: async () => device },
    send: async (_url, { id }) => {
      sent.push(id)
      return { status: 200, body: Buffer.alloc(0), retryAfter: undefined }
    },
    queueFailures: {
      isFailing: () => false,
      add: async () => failures,
      write: async (_queue: string, record: FailureRecord) => void written.push(record),
      forget: nothing,
    } as never,
    clock,
    deliveryMetrics: { record: nothing },
    meter: { delivered: nothing, buried: nothing } as never,
    logger: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    retentionMs: 24 * 60 * 60_000,
    random: () => 1,
  }
  const ledger: LeaseLedger = {
    first: () => anEntry(1),
    next: () => anEntry(2),
    finish: ({ seq }) => void ended.push(`finished ${seq}`),
    bury: ({ seq }) => void ended.push(`buried ${seq}`),
    settle: () => ({ accepted: [] }),
  }
  return { options, ledger, sent, written, ended, clock }
}

test('nothing is sent when the lease has too little time left after the device was read', async () => {
  const { options, ledger, sent, ended } = aDelivery()
  let isTimeLeft = true
  const destination = {
    async find() {
      isTimeLeft = false
      return { device, signal }
    },
    end: nothing,
  }
  const attemptSlots = { acquire: () => ({ kind: 'slot' as const }), pause: nothing, release: nothing }
  const leased = { queue: roof1, size: 0, ledger, destination, mayStart: () => isTimeLeft }

  expect(
    await deliver(leased, anEntry(1), {
      ...options,
      devices: { ...options.devices, isOfFormerOwner: async () => false },
      attemptSlots,
    }),
  ).toBeUndefined()

  expect([sent, ended]).toEqual([[], []])
})

test('the next message is not tried when the lease has too little time left, and the first one is retried', async () => {
  const { options, ledger, sent, ended, written, clock } = aDelivery()
  const attempt = {
    startedAtMs: 0,
    durationMs: 1,
    url: relay.url,
    status: 500,
    outcome: 'retry' as const,
    reason: 'no',
  }
  const attempted = { outcome: { kind: 'retry' as const, reason: 'no' }, attempt }
  const failed = { ledger, device, relay, entry: anEntry(1), attempted, signal }

  const retryAtMs = await afterFailure({ ...failed, mayStart: () => false }, options)
  expect([sent, ended]).toEqual([[], []])
  expect(retryAtMs).toBeGreaterThan(clock.now())
  expect(written).toEqual([expect.objectContaining({ nextAttemptAtMs: retryAtMs })])

  expect(await afterFailure({ ...failed, mayStart: () => true }, options)).toBeUndefined()
  expect([sent, ended]).toEqual([[`${roof1}/2`], ['buried 1', 'finished 2']])
})

test('when an update aborts the attempt with the next message, nothing is buried or counted', async () => {
  const { options, ledger, ended, written } = aDelivery()
  const update = new AbortController()
  const send = async () => {
    update.abort()
    throw new RelayFailure('unreachable')
  }
  const attempt = {
    startedAtMs: 0,
    durationMs: 1,
    url: relay.url,
    status: 500,
    outcome: 'retry' as const,
    reason: 'no',
  }
  const attempted = { outcome: { kind: 'retry' as const, reason: 'no' }, attempt }
  const failed = { ledger, device, relay, entry: anEntry(1), attempted, signal: update.signal, mayStart: () => true }

  expect(await afterFailure(failed, { ...options, send })).toBeUndefined()

  expect([ended, written]).toEqual([[], []])
})
