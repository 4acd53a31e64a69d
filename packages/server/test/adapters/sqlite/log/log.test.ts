import { copyFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import type { SqliteEngine } from '../../../../src/adapters/sqlite/engine.ts'
import { openSqliteLog } from '../../../../src/adapters/sqlite/log/log.ts'
import { ApiError } from '../../../../src/errors.ts'
import { aFile, anOpenDatabase } from '../a-database.ts'

const options = { queues: 10, entries: 10, leaseMs: 10_000 }

describe('the body of a report', () => {
  test('is stored once for the log and for recent reports, until neither needs it', async () => {
    const file = await aFile()
    const { log, recent } = await anOpenDatabase({ file })
    const body = JSON.stringify({ positions: [], pad: 'x'.repeat(1_000) })
    await log.append([{ queue: 'a', body }])
    const [lease] = await log.lease(options)
    const entry = lease?.entries[0] ?? expect.unreachable()
    const kept = { seq: entry.seq, receivedAtMs: entry.appendedAtMs, report: entry.body, positions: 0, tags: [] }
    await recent.append('a', [kept], { sinceMs: 0, limit: 10, maxBytes: 1_000, maxBytesOfClient: 1_000 })
    const bodies = () =>
      count(file, "SELECT (SELECT count(*) FROM report_body) || ' ' || (SELECT count(report) FROM recent)")

    expect(bodies()).toBe('1 0')
    await log.settle({ queue: 'a', fence: lease?.fence ?? 0 }, { accepted: [entry.seq] })
    expect((await recent.list('a', { sinceMs: 0, limit: 10 })).entries).toEqual([kept])
    await recent.sweep(entry.appendedAtMs + 1)
    expect(bodies()).toBe('0 0')
  })

  test.each(['waits', 'is buried'] as const)('stays when the report leaves the window while it %s', async (state) => {
    const file = await aFile()
    const { log, recent, close } = await anOpenDatabase({ file })
    await log.append([{ queue: 'a', body: '"1"' }])
    const [lease] = await log.lease(options)
    const entry = lease?.entries[0] ?? expect.unreachable()
    const kept = { seq: entry.seq, receivedAtMs: entry.appendedAtMs, report: entry.body, positions: 0, tags: [] }
    await recent.append('a', [kept], { sinceMs: 0, limit: 10, maxBytes: 100_000, maxBytesOfClient: 100_000 })
    if (state === 'is buried') {
      const buried = [{ seq: entry.seq, reason: 'poison' }]
      await log.settle(lease ?? expect.unreachable(), { accepted: [], buried })
    }
    await recent.sweep(entry.appendedAtMs + 1)
    await close()

    // After a restart nothing is in memory.
    const { log: restarted } = await anOpenDatabase({ file })
    if (state === 'is buried') await restarted.unbury([entry.seq])
    const [again] = await restarted.lease(options)
    expect(again?.entries.map(({ body }) => body)).toEqual(['"1"'])
  })

  test('stays when newer reports push the report out of the recent ones while it waits', async () => {
    const file = await aFile()
    const { log, recent, close } = await anOpenDatabase({ file })
    const bodies = Array.from({ length: 100 }, (_, n) => String(n))
    await log.append(bodies.map((body) => ({ queue: 'a', body })))
    const [lease] = await log.lease({ ...options, entries: 100 })
    const kept = lease?.entries.map(({ seq, appendedAtMs, body }) => {
      return { seq, receivedAtMs: appendedAtMs, report: body, positions: 0, tags: [] }
    })
    await recent.append('a', kept ?? [], { sinceMs: 0, limit: 1, maxBytes: 100_000, maxBytesOfClient: 100_000 })
    // The index learns of the reports after their commit, so the next append removes them.
    await recent.append('b', [], { sinceMs: 0, limit: 1, maxBytes: 100_000, maxBytesOfClient: 100_000 })
    await recent.append('a', [], { sinceMs: 0, limit: 1, maxBytes: 100_000, maxBytesOfClient: 100_000 })
    expect(count(file, 'SELECT count(*) FROM recent')).toBeLessThan(5)
    await close()

    const { log: restarted } = await anOpenDatabase({ file })
    const [again] = await restarted.lease({ ...options, entries: 100 })
    expect(again?.entries.map(({ body }) => body)).toEqual(bodies)
  })

  test('is deleted by the settlement when the report is not recent', async () => {
    const file = await aFile()
    const { log } = await anOpenDatabase({ file })
    await log.append([{ queue: 'a', body: '1' }])
    const [lease] = await log.lease(options)
    await log.settle(lease ?? expect.unreachable(), { accepted: lease?.entries.map(({ seq }) => seq) ?? [] })
    expect(count(file, 'SELECT count(*) FROM report_body')).toBe(0)
  })

  test('counts towards the size of the recent reports after a start, too', async () => {
    const file = await aFile()
    const bound = { sinceMs: 0, limit: 100, maxBytes: 50_000, maxBytesOfClient: 50_000 }
    const aRecent = (seq: number) => ({
      seq,
      receivedAtMs: 1,
      report: JSON.stringify('ü'.repeat(5_000)),
      positions: 1,
      tags: [],
    })
    const first = await anOpenDatabase({ file })
    for (const seq of [1, 2, 3, 4]) await first.recent.append('a', [aRecent(seq)], bound)
    await first.close()

    const { recent } = await anOpenDatabase({ file })
    for (const seq of [5, 6, 7]) await recent.append('a', [aRecent(seq)], bound)
    // Within the bound are 7 to 3, because an append deletes before it adds.
    expect((await recent.list('a', bound)).entries.map(({ seq }) => seq)).toEqual([7, 6, 5, 4, 3])
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
    expect(log.findBytes(lease?.entries[0]?.seq ?? 0)).toBeGreaterThan(0)
  })
})

test('after a start, a lease call reads a bounded amount: further queues are leased by the next call', async () => {
  const file = await aFile()
  const first = await anOpenDatabase({ file })
  const body = JSON.stringify('x'.repeat(1024 * 1024))
  const queues = Array.from({ length: 40 }, (_, n) => `queue ${n}`)
  await first.log.append(queues.map((queue) => ({ queue, body })))
  await first.close()

  const { log } = await anOpenDatabase({ file })
  const leases = await log.lease({ ...options, queues: 100 })
  const next = await log.lease({ ...options, queues: 100 })
  expect(leases.length).toBeLessThan(40)
  expect([...leases, ...next].map(({ queue }) => queue)).toEqual(queues)
  expect([...leases, ...next].every(({ entries }) => entries[0]?.body === body)).toBe(true)
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

/**
 * The log of a file with three entries, two of them from before a restart. `read` replaces how their bodies are read
 * back.
 */
async function aRestartedLog(
  read: (read: () => Promise<(string | undefined)[][]>) => Promise<(string | undefined)[][]>,
) {
  const file = await aFile()
  const first = await anOpenDatabase({ file })
  await first.log.append(['1', '2'].map((body) => ({ queue: 'a', body })))
  await first.close()
  const { engine, clock } = await anOpenDatabase({ file })
  const call: SqliteEngine['call'] = (name, ...args) => {
    if (name !== 'log.read') return engine.call(name, ...args)
    // The result of the statement `log.read`.
    return read(() => engine.call(name, ...args) as never) as never
  }
  const log = await openSqliteLog({ engine: { ...engine, call }, clock, name: 'report' })
  await log.append([{ queue: 'a', body: '3' }])
  return log
}

test('a lease whose bodies could not be read ends, so that the queue can be leased again at once', async () => {
  let isAway = true
  const log = await aRestartedLog((read) => {
    if (!isAway) return read()
    isAway = false
    return Promise.reject(new ApiError('unavailable', 'the disk is slow'))
  })

  await expect(log.lease(options)).rejects.toMatchObject({ code: 'unavailable' })

  const [lease] = await log.lease(options)
  expect(lease?.entries.map(({ body }) => body)).toEqual(['1', '2', '3'])
})

test('a lease ends before the first body that was not read, although a later one is in memory', async () => {
  const log = await aRestartedLog(async (read) => (await read()).map((bodies) => bodies.slice(0, 1)))

  const [lease] = await log.lease(options)

  expect(lease?.entries.map(({ body }) => body)).toEqual(['1'])
})

function count(file: string, sql: string): unknown {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return Object.values(database.prepare(sql).get() ?? {})[0]
  } finally {
    database.close()
  }
}
