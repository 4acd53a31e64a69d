import { describe, expect, onTestFinished, test } from 'vitest'
import { createSqliteDirectory } from '../../../src/adapters/sqlite/directory.ts'
import { openSqliteEngine, type SqliteEngine } from '../../../src/adapters/sqlite/engine.ts'
import { aFile } from './a-database.ts'

const account = { id: 'acme', name: 'Acme' }

async function anEngine(file: string, role?: 'tool'): Promise<SqliteEngine> {
  const engine = await openSqliteEngine({ file, ...(role && { role }) })
  onTestFinished(() => engine.close())
  return engine
}

/** A directory that counts its reads. Copies are current until a change is reported, however slow the machine is. */
function aDirectory(engine: SqliteEngine) {
  const asked: string[] = []
  const call: SqliteEngine['call'] = (name, ...args) => {
    asked.push(name)
    return engine.call(name, ...args)
  }
  const directory = createSqliteDirectory({ engine: { ...engine, call, isCurrent: () => true } })
  return { directory, reads: () => asked.filter((name) => name === 'directory.find').length }
}

describe('records that are read repeatedly', () => {
  test('are read from the file once', async () => {
    const { directory, reads } = aDirectory(await anEngine(await aFile()))
    await directory.insert('account', account)
    for (let time = 0; time < 3; time++) expect(await directory.find('account', 'acme')).toEqual(account)
    expect(reads()).toBe(1)
  })

  test('are read from the file again when the database has not answered for some time', async () => {
    const engine = await anEngine(await aFile())
    let reads = 0
    const call: SqliteEngine['call'] = (name, ...args) => {
      if (name === 'directory.find') reads++
      return engine.call(name, ...args)
    }
    const directory = createSqliteDirectory({ engine: { ...engine, call } })
    await directory.insert('account', account)
    await directory.find('account', 'acme')
    while (engine.isCurrent()) await new Promise(setImmediate)
    await directory.find('account', 'acme')
    expect(reads).toBe(2)
  })

  test('are shared by all callers, and cannot be changed', async () => {
    const { directory } = aDirectory(await anEngine(await aFile()))
    await directory.insert('account', account)
    const found = await directory.find('account', 'acme')
    expect(() => Object.assign(found ?? {}, { name: 'Another' })).toThrow(TypeError)
  })

  test('are up to date when a change by this process has resolved', async () => {
    const { directory } = aDirectory(await anEngine(await aFile()))
    await directory.insert('account', account)
    await directory.find('account', 'acme')

    const reading = directory.find('account', 'acme')
    const changing = directory.update('account', 'acme', (current) => ({ ...current, name: 'New' }))
    await Promise.all([reading, changing])
    expect(await directory.find('account', 'acme')).toEqual({ id: 'acme', name: 'New' })

    await directory.remove('account', 'acme')
    expect(await directory.find('account', 'acme')).toBeUndefined()
  })

  test('contain a change by another process after the next answer of the database', async () => {
    const file = await aFile()
    const server = await anEngine(file)
    const { directory } = aDirectory(server)
    await directory.insert('account', account)
    await directory.find('account', 'acme')

    const tool = createSqliteDirectory({ engine: await anEngine(file, 'tool') })
    await tool.update('account', 'acme', (current) => ({ ...current, name: 'New' }))
    await server.call('store.get', 'key', 0)

    expect(await directory.find('account', 'acme')).toEqual({ id: 'acme', name: 'New' })
  })

  test('contain a change by a tool when the tool has closed, even without a check for changes', async () => {
    const file = await aFile()
    const server = await anEngine(file)
    const directory = createSqliteDirectory({ engine: server })
    await directory.insert('account', account)
    await directory.find('account', 'acme')

    const tool = await openSqliteEngine({ file, role: 'tool' })
    await server.call('store.get', 'key', 0)
    await createSqliteDirectory({ engine: tool }).update('account', 'acme', (current) => ({ ...current, name: 'New' }))
    await tool.close()

    expect(await directory.find('account', 'acme')).toEqual({ id: 'acme', name: 'New' })
  })

  test('are not cached when they were read before a foreign change was reported and arrive after it', async () => {
    const file = await aFile()
    const engine = await anEngine(file)
    await createSqliteDirectory({ engine }).insert('account', account)
    let tell = () => {}
    const { directory, reads } = aDirectory({
      ...engine,
      onForeignChange: (listener) =>
        (tell = () => listener({ restored: false, appended: { report: nothing, delivery: nothing, air: nothing } })),
    })

    const reading = directory.find('account', 'acme')
    tell()
    await reading
    await directory.find('account', 'acme')
    expect(reads()).toBe(2)
  })
})

describe('copies of records', () => {
  test('have a limited total size, and the least recently used are removed first', async () => {
    const { directory, reads } = aDirectory(await anEngine(await aFile()))
    const many = Array.from({ length: 300 }, (_, n) => ({ id: `a${n}`, name: 'x'.repeat(60 * 1024) }))
    await directory.insertAll('account', [account, ...many])
    for (const { id } of many) {
      await directory.find('account', 'acme')
      await directory.find('account', id)
    }
    expect(reads()).toBe(1 + many.length)

    const readsBefore = reads()
    await directory.find('account', 'acme')
    await directory.find('account', many.at(-1)?.id ?? '')
    expect(reads()).toBe(readsBefore)
    await directory.find('account', many[0]?.id ?? '')
    expect(reads()).toBe(readsBefore + 1)
  })

  test('do not include a record that is too large', async () => {
    const { directory, reads } = aDirectory(await anEngine(await aFile()))
    await directory.insert('account', { id: 'acme', name: 'x'.repeat(100_000) })
    await directory.find('account', 'acme')
    await directory.find('account', 'acme')
    expect(reads()).toBe(2)
  })
})

const nothing = { seqs: [], queues: [], times: [], sizes: [] }
