/**
 * Copies a deployment from one Redis to an empty cluster: `posrep-server redis migrate`.
 * In: both addresses; no server works on either. Out: what was copied. Until all is copied and counted, the schema of
 * the cluster says that it is incomplete, and that of the Redis that it was moved, so no server starts on either, and
 * one that was started before cannot write. After a failure, the Redis is as before, and the next run begins again.
 */
import type { Logger } from '../../../ports/logger.ts'
import { toRedisAddresses } from '../../../ports/storage/redis-addresses.ts'
import type { RedisDurability } from '../../../ports/storage/redis-durability.ts'
import { checkPartitions, checkRedis, incompleteSchema, movedSchema } from '../link/checks.ts'
import type { RedisLink } from '../link/link.ts'
import { openRedisParts, type RedisParts, usualAnswerMs } from '../link/open-redis.ts'
import { schemaVersion } from '../link/script.ts'
import { hasShardedMessages, toInfo } from '../nodes/info.ts'
import { copyData } from './copy-data.ts'
import { scanKeys, send } from './copy-key.ts'
import { countData, type DataCounts } from './count-data.ts'

export interface MigrateRedisOptions {
  /** The Redis that has the data. */
  from: string
  /** The cluster. */
  to: string
  durability: RedisDurability
  partitions: number
  /** Each primary waits until so many replicas have the copy. */
  replicas: number
  logger: Pick<Logger, 'info' | 'warn'>
  /** Called with the number of keys that were copied so far. */
  onKeys?: (keys: number) => void
  /** The prefix of every key. Default "posrep:". */
  prefix?: string
  /** How long a call waits for an answer. Default 10,000. */
  answerMs?: number
}

/**
 * Returns how much there is of each kind in the cluster.
 * @throws Error when either cannot be used, when the cluster has other data, when a server runs, or when something is
 * missing in the copy.
 */
export async function migrateRedis({
  from,
  to,
  onKeys = () => {},
  prefix = 'posrep:',
  logger,
  answerMs = usualAnswerMs.tool,
  ...options
}: MigrateRedisOptions): Promise<DataCounts> {
  const { durability, partitions, replicas } = options
  const source = await named(from, () => openRedisParts({ url: from, logger, prefix, answerMs }))
  try {
    if (source.isCluster) throw new Error(`${toRedisAddresses(from)} is a cluster; only one Redis can be migrated`)
    const target = await named(to, () =>
      openRedisParts({ url: to, partitions, logger, prefix, answerMs }, (connection) =>
        checkRedis(connection, durability),
      ),
    )
    try {
      if (!target.isCluster) throw new Error(`${toRedisAddresses(to)} is not a cluster`)
      await prepare(source.service, target, prefix)
      return await moveAll(source, target, { onKeys, prefix, replicas })
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** @throws Error when there is nothing to move, or no room for it. Deletes what an earlier run has left. */
async function prepare(source: RedisLink, target: RedisParts, prefix: string): Promise<void> {
  const [found, taken] = await Promise.all([readSchema(source), readSchema(target.service)])
  if (found === null) throw new Error('The Redis has no data of a posrep-server')
  if (taken !== incompleteSchema) {
    if (found === movedSchema) throw new Error('The data of this Redis was moved to another cluster before')
    await refuseOthers(target, prefix)
  }
  if (found !== String(schemaVersion) && found !== movedSchema) {
    throw new Error(`The Redis was written by another version (schema ${found}); update posrep-server and its servers`)
  }
  await refuseServers(source)
  await writeSchema(target.service, incompleteSchema)
  for (const [, connection] of target.primaries()) await removeKeys(connection, prefix, target.service)
}

async function refuseOthers(target: RedisParts, prefix: string): Promise<void> {
  for (const [address, connection] of target.primaries()) {
    for await (const names of scanKeys(connection, prefix)) {
      if (names.length > 0) throw new Error(`The cluster is not empty: its node ${address} has keys below "${prefix}"`)
    }
  }
}

/** Each server listens for changes of relays. */
async function refuseServers({ connection, prefix }: RedisLink): Promise<void> {
  const answer = await connection.run(async (client) => {
    const isSharded = hasShardedMessages(toInfo(await client.info('server')))
    const count = isSharded ? 'SHARDNUMSUB' : 'NUMSUB'
    return client.sendCommand<[string, number]>(['PUBSUB', count, `${prefix}relay:changes`])
  })
  if (Number(answer[1]) > 0) throw new Error(`${answer[1]} servers work on this Redis; stop them first`)
}

async function removeKeys(connection: RedisLink['connection'], prefix: string, service: RedisLink): Promise<void> {
  const schema = `${service.prefix}schema`.slice(prefix.length)
  for await (const names of scanKeys(connection, prefix)) {
    const removed = names.filter((name) => name !== schema)
    // One by one, because they are in different slots.
    await Promise.all(removed.map((name) => send({ link: { connection, prefix }, name }, 'UNLINK')))
  }
}

interface MoveOptions {
  onKeys(keys: number): void
  prefix: string
  replicas: number
}

async function moveAll(source: RedisParts, target: RedisParts, options: MoveOptions): Promise<DataCounts> {
  const { onKeys, prefix, replicas } = options
  await writeSchema(source.service, movedSchema)
  try {
    await copyData(source.service, target, onKeys)
    await checkPartitions(target.service, target.partitions.length)
    const counts = await compare(source, target, prefix)
    await untilReplicated(target, replicas)
    await writeSchema(target.service, String(schemaVersion))
    await untilReplicated(target, replicas)
    return counts
  } catch (error) {
    await writeSchema(source.service, String(schemaVersion))
    throw error
  }
}

/** Counts the copy first: what expires in between is missing in the original, not in the copy. */
async function compare(source: RedisParts, target: RedisParts, prefix: string): Promise<DataCounts> {
  const [copied, original] = [await countAll(target, prefix), await countAll(source, prefix)]
  const missing = [...original].flatMap(([title, number]) => {
    const found = copied.get(title) ?? 0
    return found < number ? [`${number - found} of ${number} ${title}`] : []
  })
  if (missing.length > 0) throw new Error(`Not everything was copied: ${missing.join(', ')}`)
  return copied
}

function countAll(parts: RedisParts, prefix: string): Promise<DataCounts> {
  return countData(
    parts.primaries().map(([, connection]) => connection),
    prefix,
  )
}

const confirmMs = 1_000
const maxConfirmations = 60

/** On the connections that wrote. */
async function untilReplicated(target: RedisParts, replicas: number): Promise<void> {
  if (replicas === 0) return
  for (const [address, connection] of target.primaries()) {
    for (let asked = 1; ; asked++) {
      const confirmed = await connection.run((client) =>
        client.sendCommand<number>(['WAIT', String(replicas), String(confirmMs)]),
      )
      if (confirmed >= replicas) break
      if (asked === maxConfirmations) {
        throw new Error(
          `${confirmed} of ${replicas} replicas of the node ${address} have the copy; look at its replicas`,
        )
      }
    }
  }
}

function readSchema(link: RedisLink): Promise<string | null> {
  return send({ link, name: 'schema' }, 'GET')
}

async function writeSchema(link: RedisLink, schema: string): Promise<void> {
  await send({ link, name: 'schema' }, 'SET', schema)
}

async function named<T>(url: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (cause) {
    throw new Error(`${toRedisAddresses(url)} cannot be used: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
}
