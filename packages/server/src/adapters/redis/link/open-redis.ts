/**
 * Opens a Redis and checks its settings.
 * In: its URL. Out: a link for the adapters, or an Error that says why it cannot be used.
 */
import type { Logger } from '../../../ports/logger.ts'
import type { RedisDurability } from '../../../ports/storage/redis-durability.ts'
import { checkRedis, checkSchema } from './checks.ts'
import { openRedisLink, type RedisLink } from './link.ts'

export interface OpenRedisOptions {
  /** `redis://` or `rediss://`, optionally with user name and password. */
  url: string
  durability: RedisDurability
  /** A `tool` is refused if no server has written to this Redis. */
  role: 'server' | 'tool'
  logger: Pick<Logger, 'info' | 'warn'>
  /** The prefix of every key. Default "posrep:". */
  prefix?: string
}

/** @throws Error whose message does not contain the password. */
export async function openRedis({
  url,
  durability,
  role,
  logger,
  prefix = 'posrep:',
}: OpenRedisOptions): Promise<RedisLink> {
  const link = await openRedisLink({ url, logger, prefix })
  try {
    await checkRedis(link.connection, durability)
    await checkSchema(link.connection, prefix, role)
    await link.begin()
    return link
  } catch (error) {
    await link.close()
    throw error
  }
}
