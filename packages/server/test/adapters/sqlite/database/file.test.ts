import { existsSync } from 'node:fs'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { openSqliteEngine } from '../../../../src/adapters/sqlite/engine.ts'
import type { Log } from '../../../../src/ports/storage/log.ts'
import { aFile, aFileSystem, anOpenDatabase } from '../a-database.ts'

describe('a file that cannot be used', () => {
  test('is refused and not changed when it is empty', async () => {
    const file = await aFile()
    await writeFile(file, '')
    await expect(openSqliteEngine({ file })).rejects.toThrow('its data is lost')
    expect((await stat(file)).size).toBe(0)
  })

  test('is not created again when it is missing but its WAL exists', async () => {
    const file = await aFile()
    await writeFile(`${file}-wal`, 'frames')
    await expect(openSqliteEngine({ file })).rejects.toThrow('is missing, but')
    expect(existsSync(file)).toBe(false)
  })

  test('is refused and not changed when it is a database of another program', async () => {
    const file = await aFile()
    const other = new DatabaseSync(file)
    other.exec('CREATE TABLE other (a)')
    other.close()
    await expect(openSqliteEngine({ file })).rejects.toThrow('is not a database of posrep-server')
    const again = new DatabaseSync(file)
    expect(again.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'other' }])
    again.close()
  })

  test('is refused when it is not a database', async () => {
    const file = await aFile()
    await writeFile(file, 'this is no database, and it is long enough to have a header of its own')
    await expect(openSqliteEngine({ file })).rejects.toThrow('not a database')
  })

  test('is refused and not changed when it has a newer schema', async () => {
    const file = await aFile()
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
  })

  test('is refused when another server uses it', async () => {
    const file = await aFile()
    const first = await openSqliteEngine({ file })
    await expect(openSqliteEngine({ file })).rejects.toThrow('another posrep-server is running on it')
    await first.close()
    await (await openSqliteEngine({ file })).close()
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

test('only its owner can read the database and the files beside it', async () => {
  const file = await aFile()
  const engine = await openSqliteEngine({ file, role: 'server' })
  await engine.call('store.put', 'key', '1', 10)
  const modes = await Promise.all(
    [file, `${file}-wal`, `${file}-shm`].map(async (name) => (await stat(name)).mode & 0o777),
  )
  await engine.close()
  expect(modes).toEqual([0o600, 0o600, 0o600])
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
  test('refuses all waiting calls with "unavailable" after one wait, and accepts calls again when it is unlocked', async () => {
    const file = await aFile()
    const { log } = await anOpenDatabase({ file })
    const other = new DatabaseSync(file)
    other.exec('BEGIN IMMEDIATE')
    // If each waited after the other, it would take longer than a test may.
    const appends = Array.from({ length: 200 }, (_, n) => log.append([{ queue: 'a', body: String(n) }]))
    const outcomes = await Promise.allSettled(appends)
    other.exec('ROLLBACK')
    other.close()

    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']))
    await log.append([{ queue: 'a', body: 'after' }])
    expect((await log.list('a', { limit: 100 })).map(({ body }) => body)).toEqual(['after'])
  })
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
