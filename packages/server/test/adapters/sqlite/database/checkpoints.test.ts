import { stat } from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createCheckpoints } from '../../../../src/adapters/sqlite/database/checkpoints.ts'
import { openDatabase } from '../../../../src/adapters/sqlite/database/database.ts'
import { aFile, anOpenDatabase } from '../a-database.ts'

const mebibyte = 1024 * 1024
const body = JSON.stringify('x'.repeat(mebibyte - 2))
const bytesBeside = async (file: string) => (await stat(`${file}-wal`)).size

describe('a checkpoint', () => {
  test('runs while commits continue, and the WAL starts from its beginning again', async () => {
    const file = await aFile()
    const { log, close } = await anOpenDatabase({ file })
    for (let n = 0; n < 160; n++) {
      await log.append([{ queue: 'a', body }])
      const [lease] = await log.lease({ queues: 1, entries: 1, leaseMs: 1_000 })
      if (lease) await log.settle(lease, { accepted: lease.entries.map(({ seq }) => seq) })
    }
    expect(await bytesBeside(file)).toBeLessThan(120 * mebibyte)
    await log.append([{ queue: 'b', body: '"last"' }])
    await close()

    const reopened = await anOpenDatabase({ file })
    expect((await reopened.log.list('b', { limit: 1 })).map((entry) => entry.body)).toEqual(['"last"'])
  })

  test('runs in the committing thread when the checkpoint thread fails', async () => {
    const file = await aFile()
    const database = openDatabase(file, 'server')
    const failures: unknown[] = []
    const checkpoints = createCheckpoints({
      database,
      file: `${file}-elsewhere`,
      onFatal: (error) => failures.push(error),
    })
    onTestFinished(() => checkpoints.close())
    for (let n = 0; n < 48; n++) {
      database.transaction(() => database.sql('INSERT INTO report_body (seq, body) VALUES (?, ?)').run(n + 1, body))
      checkpoints.committed()
    }
    expect(database.bytesToCheckpoint()).toBeLessThan(24 * mebibyte)
    expect(failures).toEqual([])
  })
})
