/** Two processes that follow one log: two adapters, each with its own link and clock, on one real Redis. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, vi } from 'vitest'
import { hangsAfterMs } from '../../../../../../testing/real-time.ts'
import { openRedis } from '../../../../src/adapters/redis/link/open-redis.ts'
import { openRedisPubSub } from '../../../../src/adapters/redis/link/pub-sub.ts'
import { createRedisLog } from '../../../../src/adapters/redis/log/log.ts'
import { createManualClock, type ManualClock } from '../../../../src/contracts/manual-clock.ts'
import { type FollowedLease, type FollowOptions, followLog } from '../../../../src/logs/follow-log.ts'
import type { Log } from '../../../../src/ports/storage/log.ts'
import { aRedisServer, type RedisServer, testWithRedisServer } from '../redis-server.ts'

const logger = { info: () => {}, warn: () => {} }
const leaseMs = 30_000
const soon = { interval: 5 }

let redis: RedisServer
beforeAll(async () => {
  redis = await aRedisServer()
})
afterAll(() => redis?.stop())

interface Process {
  log: Log
  clock: ManualClock
  follow(options: Pick<FollowOptions, 'work'> & Partial<FollowOptions>): Promise<void>
}

/** Runs a test with two processes on a new log. All followers are stopped at the end. */
function fact(name: string, body: (first: Process, second: Process) => Promise<void>): void {
  testWithRedisServer(name, async () => {
    const prefix = `posrep-${randomUUID()}:`
    const ends: (() => Promise<unknown>)[] = []
    const aProcess = async (): Promise<Process> => {
      const clock = createManualClock()
      const parts = await openRedis({
        url: redis.url,
        durability: 'always',
        role: 'server',
        logger,
        prefix,
        answerMs: hangsAfterMs,
      })
      const pubSub = await openRedisPubSub({ parts, logger })
      const log = createRedisLog({ link: parts.service, clock, name: 'report', pubSub })
      ends.push(
        () => parts.close(),
        () => pubSub.close(),
      )
      return {
        log,
        clock,
        async follow(options) {
          const onError = (error: unknown) => {
            throw error
          }
          const follower = followLog({ log, clock, queues: 8, entries: 10, leaseMs, onError, ...options })
          ends.unshift(() => follower.stop())
        },
      }
    }
    try {
      await body(await aProcess(), await aProcess())
    } finally {
      for (const end of ends) await end()
    }
  })
}

const accepted = ({ entries }: FollowedLease) => ({ accepted: entries.map(({ seq }) => seq) })
const bodiesOf = ({ entries }: FollowedLease) => entries.map(({ body }) => body)

describe('two processes on one redis log', () => {
  fact('a queue that one process has leased is not leased by the other', async (first, second) => {
    const work = Promise.withResolvers<void>()
    const seen: string[] = []
    await first.log.append([{ queue: 'a', body: '1' }])
    await first.follow({
      // So it does not lease "b".
      queues: 1,
      async work(lease) {
        seen.push(...bodiesOf(lease))
        await work.promise
        return accepted(lease)
      },
    })
    await vi.waitFor(() => expect(seen).toEqual(['1']), soon)
    await second.log.append([
      { queue: 'a', body: '2' },
      { queue: 'b', body: '1' },
    ])

    const other = await second.log.lease({ queues: 8, entries: 10, leaseMs })

    expect(other.map(({ queue }) => queue)).toEqual(['b'])
    work.resolve()
  })

  fact('one process is notified of what the other appends, without polling', async (first, second) => {
    const seen: string[] = []
    await second.follow({
      async work(lease) {
        seen.push(...bodiesOf(lease))
        return accepted(lease)
      },
    })
    // The clock of the second process does not advance, so it does not poll.
    await first.log.append([{ queue: 'a', body: '1' }])
    await vi.waitFor(() => expect(seen).toEqual(['1']), soon)
  })

  fact('a queue in its cooldown that one process wakes is leased by the other at once', async (first, second) => {
    const [lease] = await first.log
      .append([{ queue: 'a', body: '1' }])
      .then(() => second.log.lease({ queues: 1, entries: 1, leaseMs }))
    await second.log.settle(lease ?? { queue: '', fence: 0 }, { accepted: [], retryAtMs: second.clock.now() + 60_000 })
    const seen: string[] = []
    await second.follow({
      async work(each) {
        seen.push(...bodiesOf(each))
        return accepted(each)
      },
    })

    await first.log.wake('a')

    await vi.waitFor(() => expect(seen).toEqual(['1']), soon)
  })

  fact('the queues of a process that died are leased by the other when the leases expire', async (first, second) => {
    await first.log.append(['1', '2'].map((body) => ({ queue: 'a', body })))
    await first.log.lease({ queues: 8, entries: 10, leaseMs })
    await second.clock.advance(leaseMs - 1)
    expect(await second.log.lease({ queues: 8, entries: 10, leaseMs })).toEqual([])

    await second.clock.advance(1)
    const seen: string[] = []
    await second.follow({
      async work(lease) {
        seen.push(...bodiesOf(lease))
        return accepted(lease)
      },
    })

    await vi.waitFor(() => expect(seen).toEqual(['1', '2']), soon)
    await vi.waitFor(async () => expect((await second.log.depth()).waiting).toBe(0), soon)
  })

  fact(
    'a process that hung until its lease expired processes no further entry, and its settlement changes nothing',
    async (first, second) => {
      const steps: string[] = []
      const hung = Promise.withResolvers<void>()
      const settled: boolean[] = []
      const { log } = first
      const watched: Log = {
        ...log,
        async settle(lease, settlement) {
          const done = await log.settle(lease, settlement)
          settled.push(done)
          return done
        },
      }
      const stepwise =
        (name: string, { clock }: Process, stall?: Promise<void>) =>
        async (lease: FollowedLease) => {
          const done: number[] = []
          for (const { seq, body } of lease.entries) {
            if (clock.now() >= lease.leasedUntilMs) break
            steps.push(`${name} ${body}`)
            done.push(seq)
            await stall
          }
          return { accepted: done }
        }
      await log.append(['1', '2', '3'].map((body) => ({ queue: 'a', body })))
      // A process that hangs leases no other queue.
      await first.follow({ log: watched, queues: 1, work: stepwise('first', first, hung.promise) })
      await vi.waitFor(() => expect(steps).toEqual(['first 1']), soon)

      // Time passes for both processes. The first one detects this when it continues.
      await first.clock.advance(leaseMs + 1_000)
      await second.clock.advance(leaseMs + 1_000)
      await second.follow({ work: stepwise('second', second) })
      await vi.waitFor(() => expect(steps.filter((step) => step.startsWith('second'))).toHaveLength(3), soon)
      await second.log.append([{ queue: 'a', body: '4' }])
      hung.resolve()

      await vi.waitFor(() => expect(settled[0]).toBe(false), soon)
      await vi.waitFor(async () => expect((await second.log.depth()).waiting).toBe(0), soon)
      const [head, ...others] = steps
      expect(head).toBe('first 1')
      expect(others.map((step) => step.slice(-1))).toEqual(['1', '2', '3', '4'])
    },
  )

  fact('two processes process 1,000 reports of 20 devices once and in order', async (first, second) => {
    const seen: Record<string, number[]> = {}
    const take = async (lease: FollowedLease) => {
      for (const body of bodiesOf(lease)) (seen[lease.queue] ??= []).push(Number(body))
      return accepted(lease)
    }
    await first.follow({ work: take })
    await second.follow({ work: take })

    await Promise.all(
      Array.from({ length: 1_000 }, (_, n) => {
        const { log } = n % 20 < 10 ? first : second
        return log.append([{ queue: `device ${n % 20}`, body: String(n) }])
      }),
    )

    await vi.waitFor(async () => {
      await Promise.all([first.clock.advance(250), second.clock.advance(250)])
      expect(Object.values(seen).flat()).toHaveLength(1_000)
    }, soon)
    for (const [queue, numbers] of Object.entries(seen)) {
      const device = Number(queue.split(' ')[1])
      expect(numbers).toEqual(Array.from({ length: 50 }, (_, n) => n * 20 + device))
    }
  })
})
