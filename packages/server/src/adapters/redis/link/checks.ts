/**
 * Checks that a Redis is suitable for the server. In: a connection. Out: nothing, or an Error that says what is wrong and
 * which Redis directive to set.
 */
import type { RedisDurability } from '../../../ports/storage/redis-durability.ts'
import type { Connection } from './connection.ts'
import { schemaVersion } from './script.ts'

const oldestVersion = [6, 2] as const

/** @throws Error when Redis is too old, is a replica or a cluster, may evict keys, or persists less than `durability`. */
export async function checkRedis(connection: Connection, durability: RedisDurability): Promise<void> {
  const info = await readInfo(connection)
  const [major = 0, minor = 0] = (info.get('redis_version') ?? '').split('.').map(Number)
  if (major < oldestVersion[0] || (major === oldestVersion[0] && minor < oldestVersion[1])) {
    throw new Error(`it is Redis ${info.get('redis_version')}; version ${oldestVersion.join('.')} or newer is needed`)
  }
  // Scripts use keys of several slots, which a Redis Cluster refuses.
  if (info.get('redis_mode') === 'cluster') throw new Error('it is a Redis Cluster; use a single primary')
  if (info.get('role') !== 'master') {
    throw new Error(`it is a replica (role "${info.get('role')}"); use the primary`)
  }
  const policy = info.get('maxmemory_policy')
  if (policy !== 'noeviction') {
    throw new Error(`it may evict keys; set "maxmemory-policy noeviction" (now "${policy}")`)
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
      `it was written by a newer version (schema ${found}, expected ${schemaVersion}); update posrep-server`,
    )
  }
  if (role === 'tool') throw new Error('it has no data of a posrep-server; start a server with it first')
  await connection.run((client) => client.set(key, String(schemaVersion)))
}

async function checkPersistence(connection: Connection, durability: 'always' | 'everysec'): Promise<void> {
  let config: Record<string, string>
  try {
    config = await connection.run((client) => client.configGet(['appendonly', 'appendfsync']))
  } catch (cause) {
    throw new Error(
      `its persistence settings cannot be read (${cause instanceof Error ? cause.message : cause}); ` +
        'allow CONFIG GET, or skip this check with --redis-durability none',
      { cause },
    )
  }
  const otherwise = 'or accept less durability with --redis-durability'
  if (config.appendonly !== 'yes') {
    throw new Error(`it loses its data when it restarts; set "appendonly yes", ${otherwise} none`)
  }
  const enough = durability === 'always' ? ['always'] : ['always', 'everysec']
  if (!enough.includes(config.appendfsync ?? '')) {
    const less = durability === 'always' ? 'everysec' : 'none'
    throw new Error(
      `a power cut loses writes that it has acknowledged; set "appendfsync ${durability}" (now "${config.appendfsync}"), ${otherwise} ${less}`,
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
