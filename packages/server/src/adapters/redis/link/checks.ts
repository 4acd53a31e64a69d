/**
 * Checks that a Redis is suitable for the server. In: a connection. Out: nothing, or an Error that says what is wrong
 * and which Redis directive to set.
 */
import type { RedisDurability } from '../../../ports/storage/redis-durability.ts'
import type { Connection } from '../nodes/connection.ts'
import { toInfo } from '../nodes/info.ts'
import type { RedisLink } from './link.ts'
import { schemaVersion } from './script.ts'

const oldestVersion = [6, 2] as const

/** @throws Error when Redis is too old, may evict keys, or persists less than `durability`. */
export async function checkRedis(connection: Pick<Connection, 'run'>, durability: RedisDurability): Promise<void> {
  const info = toInfo(await connection.run((client) => client.info()))
  refuse(findVersionProblem(info) ?? findEvictionProblem(info))
  if (durability === 'none') return
  const config = await connection
    .run((client) => client.configGet(['appendonly', 'appendfsync']))
    .catch((cause) => {
      throw new Error(toConfigProblem(cause), { cause })
    })
  refuse(findPersistenceProblem(config, durability))
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new Error(problem)
}

/** Each of these says what is wrong with a Redis and what to change. */
export function findVersionProblem(info: Map<string, string>): string | undefined {
  const version = info.get('redis_version')
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number)
  if (major > oldestVersion[0] || (major === oldestVersion[0] && minor >= oldestVersion[1])) return undefined
  return `it is Redis ${version}; version ${oldestVersion.join('.')} or newer is needed`
}

export function findEvictionProblem(info: Map<string, string>): string | undefined {
  const policy = info.get('maxmemory_policy')
  if (policy === 'noeviction') return undefined
  return `it may evict keys; set "maxmemory-policy noeviction" (now "${policy}")`
}

export function findPersistenceProblem(
  config: Record<string, string>,
  durability: 'always' | 'everysec',
): string | undefined {
  const otherwise = 'or accept less durability with --redis-durability'
  if (config.appendonly !== 'yes') {
    return `it loses its data when it restarts; set "appendonly yes", ${otherwise} none`
  }
  const enough = durability === 'always' ? ['always'] : ['always', 'everysec']
  if (enough.includes(config.appendfsync ?? '')) return undefined
  const less = durability === 'always' ? 'everysec' : 'none'
  return `a power cut loses writes that it has acknowledged; set "appendfsync ${durability}" (now "${config.appendfsync}"), ${otherwise} ${less}`
}

/** Instead of the schema's version, while `redis migrate` copies data to it; the scripts of a server refuse to run. */
export const incompleteSchema = 'incomplete'
/** The same, where the data was copied from. */
export const movedSchema = 'moved'

/** @param found Undefined where no server has written yet. */
export function findSchemaProblem(found: string | undefined): string | undefined {
  if (found === undefined || found === String(schemaVersion)) return undefined
  if (found === incompleteSchema) return 'it has only a part of the data; run "redis migrate" again until it succeeds'
  if (found === movedSchema) return 'its data was moved to a cluster by "redis migrate"; use the cluster'
  return `it was written by a newer version (schema ${found}, expected ${schemaVersion}); update posrep-server`
}

/** @param found Of the data. */
export function findPartitionsProblem(found: number, count: number): string | undefined {
  if (found === count) return undefined
  return `its data has ${found} partitions, which cannot be changed; start with --redis-partitions ${found} (now ${count})`
}

export function toConfigProblem(cause: unknown): string {
  return (
    `its persistence settings cannot be read (${cause instanceof Error ? cause.message : cause}); ` +
    'allow CONFIG GET, or skip this check with --redis-durability none'
  )
}

/**
 * Checks the schema's version. If there is none, a server writes it.
 * @throws Error when a newer posrep-server has written here; for a tool, also when no posrep-server has.
 */
export async function checkSchema({ connection, prefix }: RedisLink, role: 'server' | 'tool'): Promise<void> {
  const key = `${prefix}schema`
  const found = await connection.run((client) => client.get(key))
  refuse(findSchemaProblem(found ?? undefined))
  if (found !== null) return
  if (role === 'tool') throw new Error('it has no data of a posrep-server; start a server with it first')
  await connection.run((client) => client.set(key, String(schemaVersion)))
}

/**
 * Checks the number of partitions. If there is none, it is written.
 * @throws Error when the data has another number of partitions.
 */
export async function checkPartitions({ connection, prefix }: RedisLink, count: number): Promise<void> {
  const found = await connection.run(async (client) => {
    const key = `${prefix}partitions`
    await client.set(key, String(count), { condition: 'NX' })
    return client.get(key)
  })
  refuse(findPartitionsProblem(Number(found), count))
}
