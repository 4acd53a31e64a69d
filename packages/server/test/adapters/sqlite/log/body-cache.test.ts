import { expect, test } from 'vitest'
import { openSqliteEngine, type SqliteEngine } from '../../../../src/adapters/sqlite/engine.ts'
import { openSqliteLog } from '../../../../src/adapters/sqlite/log/log.ts'
import { createManualClock } from '../../../../src/contracts/manual-clock.ts'
import type { Lease } from '../../../../src/ports/storage/log.ts'
import { aFile, anOpenDatabase } from '../a-database.ts'

const options = { queues: 100, entries: 100, leaseMs: 10_000 }

/**
 * Opens a log on a file with entries of `bodyLength` characters per queue, and counts the bodies that it reads from the
 * file.
 */
async function aLogAfterAStart({ queues = ['a'], entries = 1, bodyLength = 1 }) {
  const file = await aFile()
  const before = await anOpenDatabase({ file })
  const body = 'x'.repeat(bodyLength)
  for (const queue of queues) await before.log.append(Array.from({ length: entries }, () => ({ queue, body })))
  await before.close()

  const engine = await openSqliteEngine({ file })
  let reads = 0
  const counting: SqliteEngine = {
    ...engine,
    async call(name, ...args) {
      const result = await engine.call(name, ...args)
      if (name === 'log.read' && Array.isArray(result)) reads += result.flat().length
      return result
    },
  }
  const clock = createManualClock()
  const log = await openSqliteLog({ engine: counting, clock, name: 'report' })
  /** Leases all queues: long bodies take several calls. */
  const leaseAll = async () => {
    const all: Lease[] = []
    for (let leases = await log.lease(options); leases.length > 0; leases = await log.lease(options))
      all.push(...leases)
    return all
  }
  const coolDown = async () => {
    for (const lease of await leaseAll()) {
      await log.settle(lease, { accepted: [], retryAtMs: clock.now() + 1_000 })
    }
    for (const queue of queues) await log.wake(queue)
  }
  return { lease: () => log.lease(options), leaseAll, coolDown, reads: () => reads, close: engine.close }
}

test('bodies of a queue that cools down are not read from the file again', async () => {
  const { leaseAll, coolDown, reads, close } = await aLogAfterAStart({ entries: 3, bodyLength: 100 })
  await coolDown()
  const readsBefore = reads()
  await coolDown()
  const [lease] = await leaseAll()

  expect(lease?.entries.map(({ body }) => body.length)).toEqual([100, 100, 100])
  expect(reads()).toBe(readsBefore)
  await close()
})

test('bodies of a queue that cools down are removed from memory when the cache is half full', async () => {
  const queues = Array.from({ length: 40 }, (_, n) => `queue${n}`)
  const { leaseAll, coolDown, reads, close } = await aLogAfterAStart({ queues, bodyLength: 1024 * 1024 })
  await coolDown()
  const readsBefore = reads()
  const [lease] = await leaseAll()

  expect(lease?.entries[0]?.body).toHaveLength(1024 * 1024)
  expect(reads()).toBe(readsBefore + 9)
  await close()
})

test('one call reads at most 32 MiB from the file; the next one leases the other queues', async () => {
  const queues = Array.from({ length: 40 }, (_, n) => `queue${n}`)
  const { lease, leaseAll, close } = await aLogAfterAStart({ queues, bodyLength: 1024 * 1024 })
  const first = await lease()

  expect(first).toHaveLength(32)
  expect([...first, ...(await leaseAll())].map(({ queue }) => queue).sort()).toEqual(queues.sort())
  await close()
})
