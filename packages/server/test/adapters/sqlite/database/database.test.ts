import { expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '../../../../src/adapters/sqlite/database/database.ts'
import { aFile, anOpenDatabase, aTool } from '../a-database.ts'

async function aDatabase(): Promise<Database> {
  const database = openDatabase(await aFile(), 'server')
  onTestFinished(() => database.close())
  return database
}

const pragmaOf = (database: Database, pragma: string) => Object.values(database.sql(`PRAGMA ${pragma}`).get() ?? {})[0]

test('a commit is on disk before it is answered: the WAL is synced at each commit', async () => {
  const database = await aDatabase()
  const full = 2
  expect([pragmaOf(database, 'journal_mode'), pragmaOf(database, 'synchronous')]).toEqual(['wal', full])
})

test('after a commit the state in memory is updated in order, once', async () => {
  const database = await aDatabase()
  const steps: string[] = []
  database.transaction(() => {
    for (const name of ['a', 'b']) {
      database.afterwards({ keep: () => steps.push(`keep ${name}`), undo: () => steps.push(`undo ${name}`) })
    }
    expect(steps).toEqual([])
  })
  database.transaction(() => {})
  expect(steps).toEqual(['keep a', 'keep b'])
})

test('after a rollback the changes of the state in memory are undone, the last one first, and nothing is kept', async () => {
  const database = await aDatabase()
  const steps: string[] = []
  const failing = () =>
    database.transaction(() => {
      for (const name of ['a', 'b']) {
        database.afterwards({ keep: () => steps.push(`keep ${name}`), undo: () => steps.push(`undo ${name}`) })
      }
      throw new Error('the disk is full')
    })
  expect(failing).toThrow('the disk is full')
  database.transaction(() => {})
  expect(steps).toEqual(['undo b', 'undo a'])
})

test('a commit that fails is rolled back, and the next transaction works', async () => {
  const database = await aDatabase()
  const steps: string[] = []
  database.exec('CREATE TABLE parent (id INTEGER PRIMARY KEY); PRAGMA foreign_keys = ON')
  database.exec('CREATE TABLE child (id INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED)')
  const failing = () =>
    database.transaction(() => {
      database.afterwards({ keep: () => steps.push('keep'), undo: () => steps.push('undo') })
      database.sql('INSERT INTO child VALUES (7)').run()
    })

  expect(failing).toThrow('FOREIGN KEY')
  database.transaction(() => database.sql('INSERT INTO parent VALUES (1)').run())

  expect(database.sql('SELECT count(*) AS rows FROM child').get()).toEqual({ rows: 0 })
  expect(steps).toEqual(['undo'])
})

test('a seq of a rolled-back append is not lost to an entry that another process appends', async () => {
  const file = await aFile()
  const { log, engine } = await anOpenDatabase({ file })
  const tool = await aTool(file)
  // Too large for SQLite's integers: this call fails, the transaction of both is rolled back, and each is repeated
  // alone.
  const impossible = (2n ** 70n) as unknown as string

  const [good, bad] = await Promise.allSettled([
    log.append([{ queue: 'a', body: '1' }]),
    engine.call('store.get', impossible, 0),
  ])
  await tool.log.append([{ queue: 'a', body: '2' }])
  await log.append([{ queue: 'a', body: '3' }])

  expect([bad.status, good.status]).toEqual(['rejected', 'fulfilled'])
  expect((await tool.log.list('a', { limit: 10 })).map(({ body }) => body)).toEqual(['1', '2', '3'])
})
