/**
 * Opens a Redis and checks its settings.
 * In: its URL. Out: a link for the adapters, or an Error that says why it cannot be used.
 */
import type { Logger } from '../../../ports/logger.ts'
import { checkRedis, checkSchema, type RedisDurability } from './checks.ts'
import { openRedisLink, type RedisLink } from './link.ts'

export interface OpenRedisOptions {
  /** `redis://` or `rediss://`, with user name and password if need be. */
  url: string
  durability: RedisDurability
  /** A `tool` is refused where no server has written. */
  role: 'server' | 'tool'
  logger: Pick<Logger, 'info' | 'warn'>
  /** In front of every key. Default "posrep:". */
  prefix?: string
}

/** @throws Error whose message may be shown: it has no password in it. */
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

/** Host and port, for messages: never the password. */
export function toRedisPlace(url: string): string {
  const { hostname, port } = new URL(url)
  return `${hostname}:${port || 6379}`
}
