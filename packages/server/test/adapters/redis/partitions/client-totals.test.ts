import { expect, test } from 'vitest'
import { type ClientTotals, createClientTotals } from '../../../../src/adapters/redis/partitions/client-totals.ts'
import { createManualClock } from '../../../../src/contracts/manual-clock.ts'

const limit = 1_000

/** Two partitions and two processes that store reports of one client. */
function aDeployment() {
  const clock = createManualClock()
  const stored = [0, 0]
  let reads = 0
  const aProcess = () => {
    const totals = createClientTotals({
      partitions: stored.map((_, partition) => async (clients) => {
        reads++
        return clients.map(() => stored[partition] ?? 0)
      }),
      clock,
    })
    return {
      totals,
      /** Stores bytes as a script does: within the limit that it is given, the oldest bytes leave. */
      async store(partition: number, bytes: number) {
        const left = await totals.toLimit('acme', partition, limit)
        stored[partition] = Math.min(left, (stored[partition] ?? 0) + bytes)
        totals.record(partition, 'acme', stored[partition])
      },
    }
  }
  return { clock, stored, aProcess, reads: () => reads }
}

const sumOf = (bytes: number[]) => bytes.reduce((sum, one) => sum + one, 0)

test('what one process stores in several partitions never exceeds the limit of the client', async () => {
  const { stored, aProcess } = aDeployment()
  const { store } = aProcess()

  for (let n = 0; n < 50; n++) {
    await store(n % 2, 70)
    expect(sumOf(stored)).toBeLessThanOrEqual(limit)
  }
  expect(sumOf(stored)).toBe(limit)
})

test('a client exceeds its limit by what other processes store within a second, and not longer', async () => {
  const { clock, stored, aProcess } = aDeployment()
  const [one, other] = [aProcess(), aProcess()]
  await one.store(0, 100)
  await other.store(1, 100)

  for (let n = 0; n < 4; n++) {
    await one.store(0, 200)
    await other.store(1, 100)
  }
  const beyond = sumOf(stored) - limit
  expect(beyond).toBe(400)

  await clock.advance(1_000)
  for (const { totals } of [one, other]) await totals.find('acme')
  await clock.advance(0)
  await one.store(0, 1)
  await other.store(1, 1)
  expect(sumOf(stored)).toBeLessThanOrEqual(limit)
})

test('the sums of all clients that are asked for at once are read together, at most once a second', async () => {
  const { clock, aProcess, reads } = aDeployment()
  const { totals } = aProcess()
  const askAll = (of: ClientTotals) => Promise.all(['a', 'b', 'c'].map((client) => of.find(client)))

  await askAll(totals)
  const first = reads()
  for (let n = 0; n < 10; n++) await askAll(totals)
  expect(reads()).toBe(first)

  await clock.advance(1_000)
  await askAll(totals)
  await clock.advance(0)
  expect(reads()).toBe(2 * first)
})

test('a partition that cannot be read counts as before', async () => {
  const clock = createManualClock()
  let isAway = false
  const totals = createClientTotals({
    partitions: [
      async () => [300],
      async () => {
        if (isAway) throw new Error('away')
        return [200]
      },
    ],
    clock,
  })
  expect(await totals.find('acme')).toBe(500)

  isAway = true
  totals.invalidate()

  expect(await totals.find('acme')).toBe(500)
  expect(await totals.toLimit('acme', 0, limit)).toBe(800)
})
