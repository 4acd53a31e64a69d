import { existsSync } from 'node:fs'
import { copyFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { openSqliteEngine } from '../../../src/adapters/sqlite/engine.ts'
import type { Log } from '../../../src/ports/storage/log.ts'
import { aFile, aFileSystem, anOpenDatabase, aTool } from './a-database.ts'

const options = { queues: 10, entries: 10, leaseMs: 10_000 }

describe('a file that cannot be used', () => {
  test('is refused and not changed when it is empty', async () => {
    const file = await aFile()
    await writeFile(file, '')
    await expect(openSqliteEngine({ file })).rejects.toThrow('it has lost what was in it')
    expect((await stat(file)).size).toBe(0)
  })

  test('is not created again when it is missing but its WAL exists', async () => {
    const file = await aFile()
    await writeFile(`${file}-wal`, 'frames')
    await expect(openSqliteEngine({ file })).rejects.toThrow('is missing, though')
    expect(existsSync(file)).toBe(false)
  })

  test('is refused and not changed when it is a database of another program', async () => {
    const file = await aFile()
    const other = new DatabaseSync(file)
    other.exec('CREATE TABLE other (a)')
    other.close()
    await expect(openSqliteEngine({ file })).rejects.toThrow('is no database of posrep-server')
    const again = new DatabaseSync(file)
    expect(again.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'other' }])
    again.close()
  })

  test('is created by the next start when a start died while it created the file', async () => {
    const file = await aFile()
    await writeFile(`${file}.new`, 'half of it')
    await (await anOpenDatabase({ file })).log.append([{ queue: 'a', body: '1' }])
    expect(existsSync(`${file}.new`)).toBe(false)
  })

  test('is refused when its folder is read-only', async ({ skip }) => {
    const folder = await aFileSystem('ro')
    if (folder === undefined) return skip('this process may not mount a file system')
    await expect(openSqliteEngine({ file: join(folder, 'posrep.sqlite') })).rejects.toThrow(
      /cannot be (written|locked)/,
    )
  })
})

describe('a disk that is full', () => {
  test('refuses entries with "unavailable", keeps accepted ones, and accepts entries again when there is space', async ({
    skip,
  }) => {
    const folder = await aFileSystem('size=3m')
    if (folder === undefined) return skip('this process may not mount a file system')
    const ballast = join(folder, 'ballast')
    await writeFile(ballast, Buffer.alloc(1_500_000))
    const { log } = await anOpenDatabase({ file: join(folder, 'posrep.sqlite') })

    const accepted = await appendUntilFull(log)
    await expect(log.append([{ queue: 'a', body: 'x'.repeat(1_000_000) }])).rejects.toMatchObject({
      code: 'unavailable',
    })
    expect(accepted.length).toBeGreaterThan(10)
    await rm(ballast)
    await log.append([{ queue: 'a', body: 'after' }])

    const waiting = await log.list('a', { limit: 1_000 })
    expect(waiting.map(({ body }) => Number.parseInt(body, 10) || body)).toEqual([...accepted, 'after'])
  })
})

describe('a database that another process has locked', () => {
  test('refuses all waiting calls with "unavailable" after one wait, and accepts calls again when it is unlocked', {
    timeout: 40_000,
  }, async () => {
    const file = await aFile()
    const { log } = await anOpenDatabase({ file })
    const other = new DatabaseSync(file)
    other.exec('BEGIN IMMEDIATE')
    const startedAt = performance.now()
    const appends = Array.from({ length: 20 }, (_, n) => log.append([{ queue: 'a', body: String(n) }]))
    const outcomes = await Promise.allSettled(appends)
    const tookMs = performance.now() - startedAt
    other.exec('ROLLBACK')
    other.close()

    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']))
    expect(tookMs).toBeLessThan(6_000)
    await log.append([{ queue: 'a', body: 'after' }])
    expect((await log.list('a', { limit: 100 })).map(({ body }) => body)).toEqual(['after'])
  })
})

describe('an entry that another process writes', () => {
  test('is leased by the server within a second when it was unburied', async () => {
    const file = await aFile()
    const { log, clock } = await anOpenDatabase({ file })
    await log.append([{ queue: 'a', body: '1' }])
    const [lease] = await log.lease(options)
    const seq = lease?.entries[0]?.seq ?? 0
    await log.settle({ queue: 'a', fence: lease?.fence ?? 0 }, { accepted: [], buried: [{ seq, reason: 'poison' }] })
    const heard = new Promise<void>((resolve) => log.watch(resolve))

    const tool = await aTool(file)
    expect(await tool.log.unbury([seq])).toBe(1)
    await heard

    expect((await log.lease(options)).map(({ entries }) => entries.map(({ body }) => body))).toEqual([['1']])
    expect(await log.depth()).toEqual({ waiting: 1, buried: 0, oldestAppendedAtMs: clock.now() })
  })

  test('is in the queue between those that the server appends before and after it', async () => {
    const file = await aFile()
    const { log } = await anOpenDatabase({ file })
    const tool = await aTool(file)
    for (let n = 0; n < 10; n++) await (n % 2 === 0 ? log : tool.log).append([{ queue: 'a', body: String(n) }])
    await log.append([{ queue: 'a', body: '10' }])

    const [lease] = await log.lease({ ...options, entries: 20 })
    expect(lease?.entries.map(({ body }) => Number(body))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test('a tool cannot lease', async () => {
    const file = await aFile()
    const { log } = await anOpenDatabase({ file })
    await log.append([{ queue: 'a', body: '1' }])
    const tool = await aTool(file)
    await expect(tool.log.lease(options)).rejects.toThrow('cannot lease')
    expect(await tool.log.depth()).toMatchObject({ waiting: 1 })
    expect(await tool.log.list('a', { limit: 1 })).toMatchObject([{ body: '1' }])
  })
})

describe('the body of a report', () => {
  test('is stored once for the log and for recent reports, until neither needs it', async () => {
    const file = await aFile()
    const { log, recent } = await anOpenDatabase({ file })
    const body = JSON.stringify({ positions: [], pad: 'x'.repeat(1_000) })
    await log.append([{ queue: 'a', body }])
    const [lease] = await log.lease(options)
    const entry = lease?.entries[0] ?? expect.unreachable()
    const kept = { seq: entry.seq, receivedAtMs: entry.appendedAtMs, report: entry.body, positions: 0, tags: [] }
    await recent.append('a', [kept], { sinceMs: 0, limit: 10 })
    const bodies = () =>
      count(file, "SELECT (SELECT count(*) FROM report_body) || ' ' || (SELECT count(report) FROM recent)")

    expect(bodies()).toBe('1 0')
    await log.settle({ queue: 'a', fence: lease?.fence ?? 0 }, { accepted: [entry.seq] })
    expect((await recent.list('a', { sinceMs: 0, limit: 10 })).entries).toEqual([kept])
    await recent.sweep(entry.appendedAtMs + 1)
    expect(bodies()).toBe('0 0')
  })

  test('is deleted by the settlement when the report is not recent', async () => {
    const file = await aFile()
    const { log } = await anOpenDatabase({ file })
    await log.append([{ queue: 'a', body: '1' }])
    const [lease] = await log.lease(options)
    await log.settle(lease ?? expect.unreachable(), { accepted: lease?.entries.map(({ seq }) => seq) ?? [] })
    expect(count(file, 'SELECT count(*) FROM report_body')).toBe(0)
  })

  test('is read back from the file after a start, and recent reports share it, too', async () => {
    const file = await aFile()
    const first = await anOpenDatabase({ file })
    await first.log.append(['1', '2', '3'].map((body) => ({ queue: 'a', body })))
    await first.close()
    await copyFile(file, `${file}.copy`)

    const { log } = await anOpenDatabase({ file })
    const [lease] = await log.lease({ ...options, entries: 2 })
    expect(lease?.entries.map(({ body }) => body)).toEqual(['1', '2'])
    expect(log.has(lease?.entries[0]?.seq ?? 0)).toBe(true)
  })
})

test('an entry that was deleted from the file is skipped, and its queue continues', async () => {
  const file = await aFile()
  const first = await anOpenDatabase({ file })
  await first.log.append(['1', '2'].map((body) => ({ queue: 'a', body })))
  await first.close()
  const { log } = await anOpenDatabase({ file })
  const other = new DatabaseSync(file)
  other.exec("DELETE FROM report_body WHERE body = '1'")
  other.close()

  const [lease] = await log.lease(options)
  expect(lease?.entries.map(({ body }) => body)).toEqual(['2'])
  expect(await log.depth()).toMatchObject({ waiting: 1 })
})

async function appendUntilFull(log: Log): Promise<number[]> {
  const accepted: number[] = []
  for (let n = 1; n < 10_000; n++) {
    try {
      await log.append([{ queue: 'a', body: `${n} ${'x'.repeat(10_000)}` }])
      accepted.push(n)
    } catch {
      return accepted
    }
  }
  return expect.unreachable('the disk does not fill')
}

function count(file: string, sql: string): unknown {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return Object.values(database.prepare(sql).get() ?? {})[0]
  } finally {
    database.close()
  }
}
