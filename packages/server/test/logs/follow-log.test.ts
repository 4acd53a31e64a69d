import { expect, test } from 'vitest'
import { createMemoryLog } from '../../src/adapters/memory/log.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { ApiError } from '../../src/errors.ts'
import { type FollowOptions, followLog } from '../../src/logs/follow-log.ts'
import type { Lease } from '../../src/ports/storage/log.ts'

function aFollower(options: Pick<FollowOptions, 'work'> & Partial<FollowOptions>) {
  const clock = createManualClock()
  const log = createMemoryLog({ clock })
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const follower = followLog({ log, clock, queues: 4, entries: 10, leaseMs: 10_000, onError, ...options })
  return { clock, log, errors, follower }
}

const acceptAll = ({ entries }: Lease) => ({ accepted: entries.map(({ seq }) => seq) })

test('appended entries are worked on and settled without waiting for the next poll', async () => {
  const seen: string[] = []
  const { clock, log, follower } = aFollower({
    async work(lease) {
      seen.push(...lease.entries.map(({ body }) => body))
      return acceptAll(lease)
    },
  })

  await log.append([{ queue: 'a', body: '1' }])
  await clock.advance(0)

  expect(seen).toEqual(['1'])
  expect((await log.depth()).waiting).toBe(0)
  await follower.stop()
})

test('after work that throws, its queue is leased again in 1 s', async () => {
  let attempts = 0
  const { clock, log, errors, follower } = aFollower({
    async work(lease) {
      if (++attempts === 1) throw new Error('once')
      return acceptAll(lease)
    },
  })

  await log.append([{ queue: 'a', body: '1' }])
  await clock.advance(999)
  expect(attempts).toBe(1)
  await clock.advance(500)

  expect(attempts).toBe(2)
  expect(errors).toHaveLength(1)
  await follower.stop()
})

test('a log that is unavailable is tried again until it is available', async () => {
  const clock = createManualClock()
  const memory = createMemoryLog({ clock })
  let isAway = true
  const log = {
    ...memory,
    lease: async (options: Parameters<typeof memory.lease>[0]) => {
      if (isAway) throw new ApiError('unavailable', 'away')
      return memory.lease(options)
    },
  }
  const { follower, errors } = aFollower({ log, clock, work: async (lease) => acceptAll(lease) })
  await log.append([{ queue: 'a', body: '1' }])
  await clock.advance(2_500)
  expect(errors.length).toBeGreaterThan(1)

  isAway = false
  await clock.advance(1_500)

  expect((await log.depth()).waiting).toBe(0)
  await follower.stop()
})

test('a queue whose lease expired is not worked on twice at the same time', async () => {
  const begun: string[] = []
  const gate = Promise.withResolvers<void>()
  const { clock, log, follower } = aFollower({
    async work(lease) {
      begun.push(lease.queue)
      await gate.promise
      return acceptAll(lease)
    },
  })

  await log.append([{ queue: 'slow', body: '1' }])
  await clock.advance(25_000)
  expect(begun).toEqual(['slow'])

  gate.resolve()
  await clock.advance(25_000)
  expect((await log.depth()).waiting).toBe(0)
  await follower.stop()
})

test('a slow queue does not delay other queues', async () => {
  const gate = Promise.withResolvers<void>()
  const done: string[] = []
  const { clock, log, follower } = aFollower({
    async work(lease) {
      if (lease.queue === 'slow') await gate.promise
      done.push(lease.queue)
      return acceptAll(lease)
    },
  })

  await log.append(['slow', 'b', 'c'].map((queue) => ({ queue, body: '1' })))
  await clock.advance(0)

  expect(done).toEqual(['b', 'c'])
  gate.resolve()
  await follower.stop()
})

test('while the bodies in progress are as long as the limit, no other queue is leased', async () => {
  const gates = new Map<string, () => void>()
  const { clock, log, follower } = aFollower({
    size: 200,
    async work(lease) {
      await new Promise<void>((resolve) => gates.set(lease.queue, resolve))
      return acceptAll(lease)
    },
  })
  for (const queue of ['a', 'b', 'c']) {
    await log.append([{ queue, body: 'x'.repeat(100) }])
    await clock.advance(0)
  }
  expect([...gates.keys()]).toEqual(['a', 'b'])

  gates.get('a')?.()
  await clock.advance(0)
  expect([...gates.keys()]).toEqual(['a', 'b', 'c'])
  for (const end of gates.values()) end()
  await follower.stop()
})

test('the follower stops when the work in progress is settled', async () => {
  const gate = Promise.withResolvers<void>()
  const { clock, log, follower } = aFollower({
    async work(lease) {
      await gate.promise
      return acceptAll(lease)
    },
  })
  await log.append([{ queue: 'a', body: '1' }])
  await clock.advance(0)

  const stopped = follower.stop()
  gate.resolve()
  await stopped

  expect((await log.depth()).waiting).toBe(0)
})

test('work gets the end of its lease, counted from the time before the call', async () => {
  const clock = createManualClock()
  const memory = createMemoryLog({ clock })
  await memory.append([{ queue: 'a', body: '1' }])
  const askedAtMs = clock.now()
  const log = {
    ...memory,
    async lease(options: Parameters<typeof memory.lease>[0]) {
      const leases = await memory.lease(options)
      await clock.sleep(3_000)
      return leases
    },
  }
  const held: number[] = []
  const { follower } = aFollower({
    log,
    clock,
    async work(lease) {
      held.push(lease.leasedUntilMs)
      return acceptAll(lease)
    },
  })

  await clock.advance(3_000)

  expect(held).toEqual([askedAtMs + 10_000])
  const stopped = follower.stop()
  await clock.advance(3_000)
  await stopped
})

test('a queue that is leased again while the work of its expired lease continues waits 1 s, not the whole lease', async () => {
  let begun = 0
  const lost = Promise.withResolvers<void>()
  const { clock, log, follower } = aFollower({
    async work(lease) {
      if (++begun === 1) await lost.promise
      return acceptAll(lease)
    },
  })
  await log.append([{ queue: 'a', body: '1' }])
  await clock.advance(10_250)
  expect(begun).toBe(1)

  lost.resolve()
  await clock.advance(1_250)

  expect(begun).toBe(2)
  expect((await log.depth()).waiting).toBe(0)
  await follower.stop()
})

test('work that is done while the store is unavailable is settled later, and not repeated', async () => {
  const clock = createManualClock()
  const memory = createMemoryLog({ clock })
  let isAway = false
  let works = 0
  const log = {
    ...memory,
    settle: (...args: Parameters<typeof memory.settle>) =>
      isAway ? Promise.reject(new ApiError('unavailable', 'away')) : memory.settle(...args),
  }
  const { follower, errors } = aFollower({
    log,
    clock,
    async work(lease) {
      works++
      isAway = true
      return acceptAll(lease)
    },
  })

  await memory.append([{ queue: 'a', body: '1' }])
  await clock.advance(3_000)
  isAway = false
  await clock.advance(1_000)

  expect((await memory.depth()).waiting).toBe(0)
  expect(works).toBe(1)
  expect(errors.length).toBeGreaterThan(1)
  await follower.stop()
})

test('work that cannot be settled before its lease ends is given up, and done again in the next lease', async () => {
  const clock = createManualClock()
  const memory = createMemoryLog({ clock })
  let works = 0
  const log = { ...memory, settle: () => Promise.reject(new ApiError('unavailable', 'away')) }
  const { follower } = aFollower({
    log,
    clock,
    async work(lease) {
      works++
      return acceptAll(lease)
    },
  })

  await memory.append([{ queue: 'a', body: '1' }])
  await clock.advance(9_000)
  expect(works).toBe(1)
  await clock.advance(2_000)
  expect(works).toBe(2)
  await follower.stop()
})

test('under load, a lease has the entries that arrive within a few iterations of the event loop', async () => {
  const sizes: number[] = []
  const { clock, log, follower } = aFollower({
    iterationsBeforeLease: 50,
    entries: 100,
    async work(lease) {
      sizes.push(lease.entries.length)
      return acceptAll(lease)
    },
  })
  for (let iteration = 0; iteration < 20; iteration++) {
    for (let entry = 0; entry < 10; entry++) void log.append([{ queue: 'a', body: `${iteration}.${entry}` }])
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (let iteration = 0; iteration < 60; iteration++) await clock.advance(0)

  expect(sizes.reduce((sum, size) => sum + size)).toBe(200)
  expect(sizes.length).toBeLessThan(8)
  await follower.stop()
})
