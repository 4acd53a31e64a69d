import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { createSqliteDirectory } from '../../../src/adapters/sqlite/directory.ts'
import { openSqliteEngine, type SqliteEngine } from '../../../src/adapters/sqlite/engine.ts'
import { openSqliteLog } from '../../../src/adapters/sqlite/log/log.ts'
import { createSqliteRecentDeliveries } from '../../../src/adapters/sqlite/recent/recent-deliveries.ts'
import { createSqliteRecentReports } from '../../../src/adapters/sqlite/recent/recent-reports.ts'
import { createSqliteRevocationFeed } from '../../../src/adapters/sqlite/revocation-feed.ts'
import { createSqliteStore } from '../../../src/adapters/sqlite/store.ts'
import { directoryContract } from '../../../src/contracts/directory-contract.ts'
import { logContract } from '../../../src/contracts/log-contract.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { recentDeliveriesContract } from '../../../src/contracts/recent-deliveries-contract.ts'
import { recentReportsContract } from '../../../src/contracts/recent-reports-contract.ts'
import { revocationFeedContract } from '../../../src/contracts/revocation-feed-contract.ts'
import { storeContract } from '../../../src/contracts/store-contract.ts'

async function aFile(): Promise<{ file: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-sqlite-'))
  return { file: join(folder, 'posrep.sqlite'), remove: () => rm(folder, { recursive: true }) }
}

async function subject<P>(create: (engine: SqliteEngine) => P | Promise<P>) {
  const { file, remove } = await aFile()
  const engine = await openSqliteEngine({ file })
  return { port: await create(engine), close: () => engine.close().then(remove) }
}

describe('sqlite store', () =>
  storeContract(test, ({ clock }) => subject((engine) => createSqliteStore({ engine, clock }))))
describe('sqlite directory', () =>
  directoryContract(test, () => subject((engine) => createSqliteDirectory({ engine }))))
describe('sqlite report log', () =>
  logContract(test, ({ clock }) => subject((engine) => openSqliteLog({ engine, clock, name: 'report' }))))
describe('sqlite delivery log', () =>
  logContract(test, ({ clock }) => subject((engine) => openSqliteLog({ engine, clock, name: 'delivery' }))))
describe('sqlite recent deliveries', () =>
  recentDeliveriesContract(test, () => subject((engine) => createSqliteRecentDeliveries({ engine }))))
describe('sqlite recent reports', () =>
  recentReportsContract(test, () => subject((engine) => createSqliteRecentReports({ engine }))))

describe('sqlite revocation feed', () =>
  revocationFeedContract(test, ({ clock }) => subject((engine) => createSqliteRevocationFeed({ engine, clock }))))

describe('the embedded database', () => {
  test('appended entries are there after the file is opened again', async () => {
    const { file, remove } = await aFile()
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
    await remove()

    expect(lease?.entries.map(({ body }) => body)).toEqual(['1'])
  })

  test('a failing call of a batch fails alone', async () => {
    const { file, remove } = await aFile()
    const engine = await openSqliteEngine({ file })
    // Too large for an integer of SQLite.
    const impossible = (2n ** 70n) as unknown as string

    const [bad, good] = await Promise.allSettled([
      engine.call('store.get', impossible, 0),
      engine.call('store.put', 'key', '1', 10),
    ])
    const value = await engine.call('store.get', 'key', 0)
    await engine.close()
    await remove()

    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
    expect(good.status).toBe('fulfilled')
    expect(value).toBe('1')
  })

  test('calls of one moment share a commit, and a read needs none', async () => {
    const { file, remove } = await aFile()
    const engine = await openSqliteEngine({ file })
    const commits: number[] = []
    engine.onCommit(({ calls }) => commits.push(calls))

    await engine.call('store.get', 'a', 0)
    await Promise.all(['a', 'b', 'c'].map((key) => engine.call('store.put', key, '1', 10)))
    await Promise.all([engine.call('store.get', 'a', 0), engine.call('store.put', 'a', '2', 10)])
    await engine.close()
    await remove()

    expect(commits).toEqual([3, 1])
  })

  test('a read that is called after a write of the same moment sees the write', async () => {
    const { file, remove } = await aFile()
    const engine = await openSqliteEngine({ file })
    const [before, , after] = await Promise.all([
      engine.call('store.get', 'key', 0),
      engine.call('store.put', 'key', '1', 10),
      engine.call('store.get', 'key', 0),
    ])
    await engine.close()
    await remove()
    expect([before, after]).toEqual([undefined, '1'])
  })

  test('a read does not wait for another process that writes', async () => {
    const { file, remove } = await aFile()
    const engine = await openSqliteEngine({ file })
    const other = new DatabaseSync(file)
    other.exec('BEGIN IMMEDIATE')

    const read = await engine.call('store.get', 'key', 0)

    other.exec('ROLLBACK')
    other.close()
    await engine.close()
    await remove()
    expect(read).toBeUndefined()
  })

  test('only its owner can read the database and the files beside it', async () => {
    const { file, remove } = await aFile()
    const engine = await openSqliteEngine({ file, role: 'server' })
    await engine.call('store.put', 'key', '1', 10)
    const modes = await Promise.all(
      [file, `${file}-wal`, `${file}-shm`].map(async (name) => (await stat(name)).mode & 0o777),
    )
    await engine.close()
    await remove()
    expect(modes).toEqual([0o600, 0o600, 0o600])
  })

  test('a call after the close is refused, not lost', async () => {
    const { file, remove } = await aFile()
    const engine = await openSqliteEngine({ file })
    await engine.close()
    await remove()
    await expect(engine.call('store.put', 'key', '1', 10)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('a file that is not a database is refused', async () => {
    const { file, remove } = await aFile()
    await writeFile(file, 'this is no database, and it is long enough to have a header of its own')
    await expect(openSqliteEngine({ file })).rejects.toThrow('not a database')
    await remove()
  })

  test('a file of a newer schema is refused and not changed', async () => {
    const { file, remove } = await aFile()
    await (await openSqliteEngine({ file })).close()
    const database = new DatabaseSync(file)
    database.exec('PRAGMA user_version = 2')
    database.close()
    const before = await readFile(file)

    for (const role of ['server', 'tool'] as const) {
      await expect(openSqliteEngine({ file, role })).rejects.toThrow(
        'was written by a newer version (schema 2, expected 1)',
      )
    }
    expect((await readFile(file)).equals(before)).toBe(true)
    await remove()
  })

  test('a second server cannot open the file', async () => {
    const { file, remove } = await aFile()
    const first = await openSqliteEngine({ file })
    await expect(openSqliteEngine({ file })).rejects.toThrow('another posrep-server is running on it')
    await first.close()
    await (await openSqliteEngine({ file })).close()
    await remove()
  })
})

describe('a tool beside the server', () => {
  test('reads and writes the database of a running server', async () => {
    const { file, remove } = await aFile()
    const server = await openSqliteEngine({ file })
    const tool = await openSqliteEngine({ file, role: 'tool' })
    await createSqliteDirectory({ engine: tool }).insert('account', { id: 'acme', name: 'Acme' })

    expect(await createSqliteDirectory({ engine: server }).find('account', 'acme')).toEqual({
      id: 'acme',
      name: 'Acme',
    })
    await tool.close()
    await server.close()
    await remove()
  })

  test('does not create a missing database', async () => {
    const { file, remove } = await aFile()
    await expect(openSqliteEngine({ file, role: 'tool' })).rejects.toThrow('it contains no database')
    expect(existsSync(file)).toBe(false)
    await remove()
  })

  test('leaves an empty file empty', async () => {
    const { file, remove } = await aFile()
    await writeFile(file, '')
    await expect(openSqliteEngine({ file, role: 'tool' })).rejects.toThrow('it contains no database')
    expect(await readFile(file, 'utf8')).toBe('')
    await remove()
  })
})
