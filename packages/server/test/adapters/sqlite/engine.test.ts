import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { createSqliteDirectory } from '../../../src/adapters/sqlite/directory.ts'
import { openSqliteEngine } from '../../../src/adapters/sqlite/engine.ts'
import { openSqliteLog } from '../../../src/adapters/sqlite/log/log.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { aFile } from './a-database.ts'

describe('the embedded database', () => {
  test('appended entries are there after the file is opened again', async () => {
    const file = await aFile()
    const clock = createManualClock()
    const first = await openSqliteEngine({ file })
    await (await openSqliteLog({ engine: first, clock, name: 'report' })).append([{ queue: 'a', body: '1' }])
    await first.close()

    const second = await openSqliteEngine({ file })
    const [lease] = await (await openSqliteLog({ engine: second, clock, name: 'report' })).lease({
      queues: 1,
      entries: 1,
      leaseMs: 1,
    })
    await second.close()

    expect(lease?.entries.map(({ body }) => body)).toEqual(['1'])
  })

  test('a call that fails in a batch does not affect the other calls', async () => {
    const file = await aFile()
    const engine = await openSqliteEngine({ file })
    // Too large for SQLite's integers, so this call fails.
    const impossible = (2n ** 70n) as unknown as string

    const [bad, good] = await Promise.allSettled([
      engine.call('store.get', impossible, 0),
      engine.call('store.put', 'key', '1', 10),
    ])
    const value = await engine.call('store.get', 'key', 0)
    await engine.close()

    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
    expect(good.status).toBe('fulfilled')
    expect(value).toBe('1')
  })

  test('concurrent calls share a commit, and reads alone need none', async () => {
    const file = await aFile()
    const engine = await openSqliteEngine({ file })
    const commits: number[] = []
    engine.onCommit(({ calls }) => commits.push(calls))

    await engine.call('store.get', 'a', 0)
    await Promise.all(['a', 'b', 'c'].map((key) => engine.call('store.put', key, '1', 10)))
    await Promise.all([engine.call('store.get', 'a', 0), engine.call('store.put', 'a', '2', 10)])
    await engine.close()

    expect(commits).toEqual([3, 1])
  })

  test('a read sees a write that was called before it, even if both are in the same batch', async () => {
    const file = await aFile()
    const engine = await openSqliteEngine({ file })
    const [before, , after] = await Promise.all([
      engine.call('store.get', 'key', 0),
      engine.call('store.put', 'key', '1', 10),
      engine.call('store.get', 'key', 0),
    ])
    await engine.close()
    expect([before, after]).toEqual([undefined, '1'])
  })

  test('a read does not wait for another process that writes', async () => {
    const file = await aFile()
    const engine = await openSqliteEngine({ file })
    const other = new DatabaseSync(file)
    other.exec('BEGIN IMMEDIATE')

    const read = await engine.call('store.get', 'key', 0)

    other.exec('ROLLBACK')
    other.close()
    await engine.close()
    expect(read).toBeUndefined()
  })

  test('a call after the engine is closed is refused', async () => {
    const file = await aFile()
    const engine = await openSqliteEngine({ file })
    await engine.close()
    await expect(engine.call('store.put', 'key', '1', 10)).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('a tool beside the server', () => {
  test('reads and writes the database of a running server', async () => {
    const file = await aFile()
    const server = await openSqliteEngine({ file })
    const tool = await openSqliteEngine({ file, role: 'tool' })
    await createSqliteDirectory({ engine: tool }).insert('account', { id: 'acme', name: 'Acme' })

    expect(await createSqliteDirectory({ engine: server }).find('account', 'acme')).toEqual({
      id: 'acme',
      name: 'Acme',
    })
    await tool.close()
    await server.close()
  })

  test('does not create a missing database', async () => {
    const file = await aFile()
    await expect(openSqliteEngine({ file, role: 'tool' })).rejects.toThrow('it contains no database')
    expect(existsSync(file)).toBe(false)
  })

  test('leaves an empty file empty', async () => {
    const file = await aFile()
    await writeFile(file, '')
    await expect(openSqliteEngine({ file, role: 'tool' })).rejects.toThrow('it contains no database')
    expect(await readFile(file, 'utf8')).toBe('')
  })
})
