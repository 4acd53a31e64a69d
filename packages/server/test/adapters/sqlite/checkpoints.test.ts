import { stat } from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createCheckpoints } from '../../../src/adapters/sqlite/thread/checkpoints.ts'
import { openDatabase } from '../../../src/adapters/sqlite/thread/database.ts'
import { aFile, anOpenDatabase } from './a-database.ts'

const mebibyte = 1024 * 1024
const body = JSON.stringify('x'.repeat(mebibyte - 2))
const bytesBeside = async (file: string) => (await stat(`${file}-wal`)).size

describe('what was committed is written to its place', () => {
  test('while commits go on, and the file beside the database starts anew', async () => {
    const file = await aFile()
    const { log, close } = await anOpenDatabase({ file })
    for (let n = 0; n < 160; n++) {
      await log.append([{ line: 'a', body }])
      const [lease] = await log.lease({ lines: 1, entries: 1, leaseMs: 1_000 })
      if (lease) await log.settle(lease, { accepted: lease.entries.map(({ seq }) => seq) })
    }
    expect(await bytesBeside(file)).toBeLessThan(120 * mebibyte)
    await log.append([{ line: 'b', body: '"last"' }])
    await close()

    const reopened = await anOpenDatabase({ file })
    expect((await reopened.log.list('b', { limit: 1 })).map((entry) => entry.body)).toEqual(['"last"'])
  })

  test('by who commits, where the thread for it cannot work', async () => {
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
