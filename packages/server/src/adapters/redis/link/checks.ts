/**
 * Checks that a Redis is suitable for the server. In: a connection. Out: nothing, or an Error that says what is wrong and
 * which Redis directive to set.
 */
import type { Connection } from './connection.ts'
import { schemaVersion } from './script.ts'

/** `always`: an acknowledged write survives a power cut. `everysec`: except for the last second. `none`: no guarantee. */
export type RedisDurability = 'always' | 'everysec' | 'none'

const oldestVersion = [6, 2] as const

/** @throws Error when Redis is too old, is a replica or a cluster, may evict keys, or persists less than `durability`. */
export async function checkRedis(connection: Connection, durability: RedisDurability): Promise<void> {
  const info = await readInfo(connection)
  const [major = 0, minor = 0] = (info.get('redis_version') ?? '').split('.').map(Number)
  if (major < oldestVersion[0] || (major === oldestVersion[0] && minor < oldestVersion[1])) {
    throw new Error(`it is Redis ${info.get('redis_version')}; version ${oldestVersion.join('.')} or newer is needed`)
  }
  // Scripts use keys of several slots, which a Redis Cluster refuses.
  if (info.get('redis_mode') === 'cluster') throw new Error('it is a Redis Cluster; name a Redis that is one primary')
  if (info.get('role') !== 'master') {
    throw new Error(`it is a replica (role "${info.get('role')}"); name the primary`)
  }
  const policy = info.get('maxmemory_policy')
  if (policy !== 'noeviction') {
    throw new Error(`it may evict what it holds; set "maxmemory-policy noeviction", it has "${policy}"`)
  }
  if (durability !== 'none') await checkPersistence(connection, durability)
}

/**
 * Checks the schema's version. If there is none, a server writes it.
 * @throws Error when a newer posrep-server has written here; for a tool, also when no posrep-server has.
 */
export async function checkSchema(connection: Connection, prefix: string, role: 'server' | 'tool'): Promise<void> {
  const key = `${prefix}schema`
  const found = await connection.run((client) => client.get(key))
  if (found === String(schemaVersion)) return
  if (found !== null) {
    throw new Error(
      `it was written by a newer version (schema ${found}, this is ${schemaVersion}); update posrep-server`,
    )
  }
  if (role === 'tool') throw new Error('it holds nothing of a posrep-server')
  await connection.run((client) => client.set(key, String(schemaVersion)))
}

async function checkPersistence(connection: Connection, durability: 'always' | 'everysec'): Promise<void> {
  let config: Record<string, string>
  try {
    config = await connection.run((client) => client.configGet(['appendonly', 'appendfsync']))
  } catch (cause) {
    throw new Error(
      `what it persists cannot be asked (${cause instanceof Error ? cause.message : cause}); ` +
        'allow CONFIG GET, or take that on yourself with --redis-durability none',
      { cause },
    )
  }
  const otherwise = 'or accept less with --redis-durability'
  if (config.appendonly !== 'yes') {
    throw new Error(`a restart of it loses what it holds; set "appendonly yes", ${otherwise} none`)
  }
  const enough = durability === 'always' ? ['always'] : ['always', 'everysec']
  if (!enough.includes(config.appendfsync ?? '')) {
    const less = durability === 'always' ? 'everysec' : 'none'
    throw new Error(
      `a power cut loses what it has just acknowledged; set "appendfsync ${durability}", ${otherwise} ${less}, it has "${config.appendfsync}"`,
    )
  }
}

async function readInfo(connection: Connection): Promise<Map<string, string>> {
  return toInfo(await connection.run((client) => client.info()))
}

/** @param text The answer to INFO. */
export function toInfo(text: string): Map<string, string> {
  return new Map(
    text.split('\r\n').flatMap((line): [string, string][] => {
      const colon = line.indexOf(':')
      return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1)]]
    }),
  )
}
