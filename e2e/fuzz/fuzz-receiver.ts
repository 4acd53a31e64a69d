/**
 * Sends hostile requests into the core of the relay receiver.
 * In: how many requests, or for how long, and a seed. Out: the statuses, the memory, and the requests that had a wrong
 * answer. What the service does with a message after the answer must be right for it; nothing may get a 500.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Answered, type Clock, relayReceiver } from '@posrep/relay-receiver'
import { createTestSender } from '@posrep/relay-receiver/testing'
import { createRandom } from '../soak/random.ts'
import type { Sample } from '../soak/resident-memory.ts'
import { createHostileRequests, type Hostile, type Outcome } from './hostile-messages.ts'

export interface ReceiverFuzzOptions {
  seed: number
  /** Ends after this many requests. */
  requests: number
  /** Ends after this time, too. Default: no limit. */
  seconds?: number
}

export interface ReceiverFuzzResult {
  requests: number
  /** Number of answers with each status. */
  statuses: Map<number, number>
  /** The heap after a collection, over the number of requests. */
  memory: Sample[]
  faults: string[]
}

/** Number of concurrent requests. */
const atOnce = 32
const samples = 40
const maxFaults = 10

export async function fuzzReceiver({
  seed,
  requests,
  seconds = Number.POSITIVE_INFINITY,
}: ReceiverFuzzOptions): Promise<ReceiverFuzzResult> {
  const result: ReceiverFuzzResult = { requests: 0, statuses: new Map(), memory: [], faults: [] }
  const collect = garbageCollector()
  const clock = aStoppedClock()
  const sender = await createTestSender({ clock })
  const nextRequest = await createHostileRequests(sender, createRandom(seed))
  let taken = 0
  let last: Answered | undefined
  const receiver = relayReceiver({
    from: sender.keys,
    devices: [sender.device],
    maxBodyBytes: 64 * 1024,
    onReport: () => void taken++,
    onError: () => {},
    onAnswer: (answered) => (last = answered),
    clock,
  })
  const endMs = performance.now() + seconds * 1_000

  while (result.requests < requests && performance.now() < endMs && result.faults.length < maxFaults) {
    await Promise.all(Array.from({ length: Math.min(atOnce, requests - result.requests) }, send))
    if (result.requests >= (result.memory.length * requests) / samples) sample()
  }
  sample()
  if (taken === 0) result.faults.push('no whole message was accepted')
  if (last === undefined) result.faults.push('onAnswer was not called')
  return result

  async function send(): Promise<void> {
    const hostile = await nextRequest()
    const status = await statusOf(hostile)
    result.requests++
    result.statuses.set(status, (result.statuses.get(status) ?? 0) + 1)
    if (outcomeOf(status) !== hostile.expected)
      result.faults.push(`${hostile.what} was answered with ${status}: ${describe(hostile)}`)
  }

  async function statusOf({ request }: Hostile): Promise<number> {
    try {
      const response = await receiver.fetch(request())
      await response.arrayBuffer()
      return response.status
    } catch (error) {
      result.faults.push(`fetch rejected: ${String(error)}`)
      return 0
    }
  }

  function sample(): void {
    collect()
    result.memory.push({ at: result.requests, bytes: process.memoryUsage().heapUsed })
  }
}

/** What the service does with a message after this answer. No hostile request may cause a 5xx. */
function outcomeOf(status: number): Outcome | undefined {
  if (status === 200 || status === 204) return 'accepted'
  if ([400, 413, 415, 422].includes(status)) return 'set aside'
  return status > 400 && status < 500 ? 'sent again' : undefined
}

function describe({ headers, body }: Hostile): string {
  return `${JSON.stringify(headers)} ${Buffer.from(body).toString('latin1').slice(0, 2_000)}`
}

/** Messages are signed once and sent for as long as the run lasts. */
function aStoppedClock(): Clock {
  const nowMs = Date.now()
  return {
    now: () => nowMs,
    sleep: (_ms, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
  }
}

/** The heap is compared after collections, because garbage says nothing. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}
