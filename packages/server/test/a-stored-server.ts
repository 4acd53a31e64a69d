/** The real server on SQLite and on Redis, and how much its storage has. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'
import { aServer, type ServerUnderTest } from './a-server.ts'
import { aRedisServer, isRedisWanted } from './adapters/redis/redis-server.ts'

export interface StoredServer extends ServerUnderTest {
  /** The keys of the storage's small records (`Store`) that begin with this text. */
  keys(start?: string): Promise<string[]>
}

type Options = NonNullable<Parameters<typeof aServer>[0]>

export interface StoredServerUnderTest {
  name: string
  /** Starts a server with an empty storage. Both end with the test. */
  start(options?: Options): Promise<StoredServer>
}

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-stored-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

async function startOn(flags: Options['flags'], options: Options = {}): Promise<ServerUnderTest> {
  const server = await aServer({ ...options, flags: { memory: false, ...options.flags, ...flags } })
  onTestFinished(() => server.stop())
  return server
}

const sqlite: StoredServerUnderTest = {
  name: 'sqlite',
  async start(options) {
    const dataDir = await aFolder()
    const server = await startOn({ 'data-dir': dataDir }, options)
    const database = new DatabaseSync(join(dataDir, 'posrep.sqlite'), { readOnly: true })
    onTestFinished(() => database.close())
    const statement = database.prepare('SELECT key FROM store WHERE substr(key, 1, ?) = ?')
    return {
      ...server,
      keys: async (start = '') => statement.all(start.length, start).map(({ key }) => String(key)),
    }
  },
}

const prefix = 'posrep:store:'

const redis: StoredServerUnderTest = {
  name: 'redis',
  async start(options) {
    const { url, command } = await aRedisServer()
    const server = await startOn({ 'data-dir': await aFolder(), redis: url }, options)
    return {
      ...server,
      // KEYS answers with a list of texts.
      keys: async (start = '') => (await command('KEYS', `${prefix}${start}*`)) as string[],
    }
  },
}

export const storedServers: StoredServerUnderTest[] = [sqlite, ...(isRedisWanted ? [redis] : [])]
