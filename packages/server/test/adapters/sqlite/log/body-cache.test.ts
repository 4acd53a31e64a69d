import { expect, test } from 'vitest'
import { openSqliteEngine, type SqliteEngine } from '../../../../src/adapters/sqlite/engine.ts'
import { openSqliteLog } from '../../../../src/adapters/sqlite/log/log.ts'
import { createManualClock } from '../../../../src/contracts/manual-clock.ts'
import { aFile, anOpenDatabase } from '../a-database.ts'

const options = { queues: 10, entries: 100, leaseMs: 10_000 }

/** Opens a log on a file with entries of `bodyLength` characters, and counts the bodies that it reads from the file. */
async function aLogAfterAStart({ entries, bodyLength }: { entries: number; bodyLength: number }) {
  const file = await aFile()
  const before = await anOpenDatabase({ file })
  const body = 'x'.repeat(bodyLength)
  await before.log.append(Array.from({ length: entries }, () => ({ queue: 'a', body })))
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
  const coolDown = async () => {
    for (const lease of await log.lease(options)) {
      await log.settle(lease, { accepted: [], retryAtMs: clock.now() + 1_000 })
    }
    await log.wake('a')
  }
  return { log, coolDown, reads: () => reads, close: engine.close }
}

test('bodies of a queue that cools down are not read from the file again', async () => {
  const { log, coolDown, reads, close } = await aLogAfterAStart({ entries: 3, bodyLength: 100 })
  await coolDown()
  const readsBefore = reads()
  await coolDown()
  const [lease] = await log.lease(options)

  expect(lease?.entries.map(({ body }) => body.length)).toEqual([100, 100, 100])
  expect(reads()).toBe(readsBefore)
  await close()
})

test('bodies of a queue that cools down are removed from memory when the cache is half full', async () => {
  const { log, coolDown, reads, close } = await aLogAfterAStart({ entries: 32, bodyLength: 1024 * 1024 })
  await coolDown()
  const readsBefore = reads()
  const [lease] = await log.lease(options)

  expect(lease?.entries[0]?.body).toHaveLength(1024 * 1024)
  expect(reads()).toBe(readsBefore + 32)
  await close()
})
