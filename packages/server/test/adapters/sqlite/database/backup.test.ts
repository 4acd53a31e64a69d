import { readFile, stat, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { backupDatabase, restoreDatabase } from '../../../../src/adapters/sqlite/database/backup.ts'
import { createSqliteDirectory } from '../../../../src/adapters/sqlite/directory.ts'
import { createSqliteRevocationFeed } from '../../../../src/adapters/sqlite/revocation-feed.ts'
import type { Log } from '../../../../src/ports/storage/log.ts'
import { aFile, anOpenDatabase, aTool } from '../a-database.ts'

const options = { queues: 10, entries: 10, leaseMs: 10_000 }
const bound = { sinceMs: 0, limit: 10, maxBytes: 1_000, maxBytesOfClient: 1_000 }

async function leaseAll(log: Log) {
  const [lease] = await log.lease(options)
  return { queue: 'a', fence: lease?.fence ?? 0, entries: lease?.entries ?? [] }
}

test('a backup of a database in use has the content of one moment, and only its owner can read it', async () => {
  const file = await aFile()
  const { log } = await anOpenDatabase({ file })
  const target = `${file}.backup`
  let n = 0
  let isDone = false
  const appending = (async () => {
    while (!isDone) await log.append([{ queue: 'a', body: String(n++) }])
  })()
  await log.append([{ queue: 'a', body: 'first' }])
  backupDatabase(file, target)
  isDone = true
  await appending

  const copy = await anOpenDatabase({ file: target })
  const bodies = (await copy.log.list('a', { limit: 1_000_000 })).map(({ body }) => body).filter((b) => b !== 'first')
  expect(bodies).toEqual(bodies.map((_, index) => String(index)))
  expect((await stat(target)).mode & 0o777).toBe(0o600)
})

test('a restored backup replaces all data while the server runs', async () => {
  const file = await aFile()
  const { log, recent, engine } = await anOpenDatabase({ file })
  const directory = createSqliteDirectory({ engine })
  await directory.insert('account', { id: 'acme', name: 'As it was' })
  await log.append(['1', '2'].map((body) => ({ queue: 'a', body })))
  const before = await leaseAll(log)
  const [entry] = before.entries
  const report = { seq: entry?.seq ?? 0, receivedAtMs: 1, report: '1', positions: 1, tags: [] }
  await recent.append('a', [report], bound)
  backupDatabase(file, `${file}.backup`)

  await directory.update('account', 'acme', (account) => ({ ...account, name: 'As it became' }))
  await directory.insert('account', { id: 'later', name: 'Later' })
  await log.settle(before, { accepted: before.entries.map(({ seq }) => seq) })
  await log.append([{ queue: 'a', body: '3' }])
  const lease = await leaseAll(log)
  await recent.append('a', [{ ...report, seq: 77 }], bound)
  const heard = new Promise<void>((resolve) => log.watch(resolve))
  restoreDatabase(file, `${file}.backup`)
  await heard

  expect((await directory.list('account')).map(({ name }) => name)).toEqual(['As it was'])
  expect((await recent.list('a', bound)).entries).toEqual([report])
  // A lease from before the restore cannot settle restored entries.
  expect(await log.settle(lease, { accepted: lease.entries.map(({ seq }) => seq) })).toBe(false)
  await log.append([{ queue: 'a', body: '4' }])
  const after = await leaseAll(log)
  expect(after.entries.map(({ body }) => body)).toEqual(['1', '2', '4'])
  // A seq that was assigned after the backup is not assigned again.
  expect(after.entries.at(-1)?.seq).toBeGreaterThan(lease.entries[0]?.seq ?? Number.POSITIVE_INFINITY)
})

test('no seq is assigned twice after a restore, however many were assigned after the backup', async () => {
  const file = await aFile()
  const { log } = await anOpenDatabase({ file })
  await log.append([{ queue: 'a', body: 'before' }])
  backupDatabase(file, `${file}.backup`)
  // More than are reserved at once.
  for (let n = 0; n < 5; n++) {
    await log.append(Array.from({ length: 1_000 }, (_, i) => ({ queue: 'b', body: String(n * 1_000 + i) })))
  }
  const last = (await log.list('b', { limit: 5_000 })).at(-1)?.seq ?? Number.POSITIVE_INFINITY

  restoreDatabase(file, `${file}.backup`)
  await log.append([{ queue: 'a', body: 'after' }])
  const { log: tool } = await aTool(file)
  const seqs = (await tool.list('a', { limit: 10 })).map(({ seq }) => seq)

  expect(seqs).toHaveLength(2)
  expect(seqs[1]).toBeGreaterThan(last)
})

test('a server that starts after a restore assigns no seq twice', async () => {
  const file = await aFile()
  const first = await anOpenDatabase({ file })
  backupDatabase(file, `${file}.backup`)
  for (let n = 0; n < 3; n++) {
    await first.log.append(Array.from({ length: 1_000 }, () => ({ queue: 'b', body: '1' })))
  }
  const last = (await first.log.list('b', { limit: 3_000 })).at(-1)?.seq ?? Number.POSITIVE_INFINITY
  await first.close()

  restoreDatabase(file, `${file}.backup`)
  const { log } = await anOpenDatabase({ file })
  await log.append([{ queue: 'a', body: 'after' }])

  expect((await log.list('a', { limit: 1 }))[0]?.seq).toBeGreaterThan(last)
})

test('a revocation after the backup stays in force', async () => {
  const file = await aFile()
  const { engine, clock } = await anOpenDatabase({ file })
  const feed = createSqliteRevocationFeed({ engine, clock })
  await feed.announce({ subject: 'user:old', atMs: 1 }, 60_000)
  backupDatabase(file, `${file}.backup`)
  await feed.announce({ subject: 'user:old', atMs: 9 }, 60_000)
  await feed.announce({ subject: 'user:new', atMs: 5 }, 60_000)

  restoreDatabase(file, `${file}.backup`)

  const found = await feed.find(['user:old', 'user:new'])
  expect(found.map(({ subject, atMs }) => `${subject} ${atMs}`).sort()).toEqual(['user:new 5', 'user:old 9'])
})

test('a backup is restored where there is no database, and where the file is empty', async () => {
  const file = await aFile()
  const first = await anOpenDatabase({ file })
  await first.log.append([{ queue: 'a', body: '1' }])
  backupDatabase(file, `${file}.backup`)

  for (const prepare of [async () => {}, (place: string) => writeFile(place, '')]) {
    const place = await aFile()
    await prepare(place)
    restoreDatabase(place, `${file}.backup`)
    const { log } = await anOpenDatabase({ file: place })
    expect((await log.list('a', { limit: 10 })).map(({ body }) => body)).toEqual(['1'])
  }
})

test('a backup that is damaged, missing or of another version changes nothing', async () => {
  const file = await aFile()
  const { log } = await anOpenDatabase({ file })
  await log.append([{ queue: 'a', body: 'x'.repeat(100_000) }])
  const backup = `${file}.backup`
  backupDatabase(file, backup)
  const bytes = await readFile(backup)
  const damaged = `${file}.damaged`
  await writeFile(damaged, bytes.fill(7, 8_192, 40_000))
  const newer = `${file}.newer`
  const database = new DatabaseSync(newer)
  database.exec('PRAGMA user_version = 99')
  database.close()

  expect(() => restoreDatabase(file, damaged)).toThrow('is not a usable backup')
  expect(() => restoreDatabase(file, newer)).toThrow('it has schema 99')
  expect(() => restoreDatabase(file, `${file}.nothing`)).toThrow('does not exist')
  expect(await log.list('a', { limit: 10 })).toHaveLength(1)
})

test('a backup does not replace an existing file', async () => {
  const file = await aFile()
  await anOpenDatabase({ file })
  await writeFile(`${file}.backup`, 'mine')
  expect(() => backupDatabase(file, `${file}.backup`)).toThrow('already exists')
  expect(await readFile(`${file}.backup`, 'utf8')).toBe('mine')
})

test('a backup without a database is refused, and no file is created', async () => {
  const file = await aFile()
  expect(() => backupDatabase(file, `${file}.backup`)).toThrow('it contains no database')
  await expect(stat(`${file}.backup`)).rejects.toThrow('ENOENT')
})
