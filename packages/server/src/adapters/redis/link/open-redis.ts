/**
 * Opens a Redis or a Redis Cluster and checks its settings.
 * In: its addresses. Out: links for the adapters, or an Error that says why it cannot be used.
 */
import type { Logger } from '../../../ports/logger.ts'
import { findRedisUrls, toRedisAddress, toRedisAddresses } from '../../../ports/storage/redis-addresses.ts'
import type { RedisDurability } from '../../../ports/storage/redis-durability.ts'
import { type ClusterNodes, openClusterNodes } from '../nodes/cluster-nodes.ts'
import { type Confirm, createConfirm } from '../nodes/confirmation.ts'
import { openConnection } from '../nodes/connection.ts'
import { isClusterNode, toInfo } from '../nodes/info.ts'
import { greetNode, toSingleNode } from '../nodes/nodes.ts'
import { slotOf, toTags } from '../nodes/slots.ts'
import { checkPartitions, checkRedis, checkSchema } from './checks.ts'
import { createRedisLink, type RedisLink } from './link.ts'

/** The parts of the data. The keys of each are on one node. One Redis has one part, which is both. */
export interface RedisParts {
  isCluster: boolean
  /** Directory, revocations, and messages between processes. */
  service: RedisLink
  /** Logs and recent reports by device, small records and counts by key. */
  partitions: RedisLink[]
  /** The URLs at which a part is, as last known; none while no node serves it. */
  findUrls(part: RedisLink): string[]
  /** Calls `listener` when `findUrls` may have changed. */
  watch(listener: () => void): void
  /** Each primary, as last known, with its address. */
  primaries(): [address: string, connection: RedisLink['connection']][]
  close(): Promise<void>
}

export interface OpenPartsOptions {
  /** The value of `--redis`. */
  url: string
  /** In a cluster. Default 64. */
  partitions?: number | undefined
  /** How many replicas must confirm each write. Default 0. */
  replicas?: number | undefined
  logger: Pick<Logger, 'info' | 'warn'>
  /** The prefix of every key. Default "posrep:". */
  prefix?: string
  /** How long a call waits for an answer. Default 2,000. */
  answerMs?: number | undefined
}

export interface OpenRedisOptions extends OpenPartsOptions {
  durability: RedisDurability
  /** A `tool` is refused if no server has written to this Redis. */
  role: 'server' | 'tool'
}

export const serviceTag = 'service'
/**
 * A Redis that has not answered for so long counts as away. A `tool` is a command that one person waits for; a busy
 * machine may delay it.
 */
export const usualAnswerMs = { server: 2_000, tool: 10_000 }

/** @throws Error whose message does not contain the password. */
export async function openRedis({ durability, role, ...options }: OpenRedisOptions): Promise<RedisParts> {
  const parts = await openRedisParts(options, (connection) => checkRedis(connection, durability))
  try {
    await checkSchema(parts.service, role)
    if (parts.isCluster) await checkPartitions(parts.service, parts.partitions.length)
    return parts
  } catch (error) {
    await parts.close()
    throw error
  }
}

/**
 * Opens further connections of their own, to a Redis that was checked.
 * @param check Runs on each node. Default: no check.
 * @throws Error when no node can be reached, or when `check` fails.
 */
export async function openRedisParts(
  { url, partitions = 64, replicas = 0, logger, prefix = 'posrep:', answerMs = usualAnswerMs.server }: OpenPartsOptions,
  check: (connection: RedisLink['connection']) => Promise<void> = async () => {},
): Promise<RedisParts> {
  const urls = findRedisUrls(url) ?? []
  const confirm = createConfirm({ replicas, answerMs })
  if (await isCluster(urls, answerMs)) {
    const nodes = await openClusterNodes({ urls, logger, answerMs })
    const parts = toClusterParts(nodes, { partitions, prefix, answerMs, confirm, logger })
    return closeOnFailure(parts, () => checkNodes(parts, check))
  }
  const connection = await openConnection({ urls: () => urls, logger, greet: greetNode, answerMs })
  const nodes = toSingleNode(connection)
  const link = createRedisLink({ nodes, slot: 0, prefix, answerMs, confirm, logger })
  const parts = {
    isCluster: false,
    service: link,
    partitions: [link],
    findUrls: () => urls,
    watch: () => {},
    primaries: (): ReturnType<RedisParts['primaries']> => [[toRedisAddresses(url), connection]],
    close: () => nodes.close(),
  }
  return closeOnFailure(parts, () => check(connection))
}

interface ClusterPartsOptions {
  partitions: number
  prefix: string
  answerMs: number
  confirm: Confirm
  logger: Pick<Logger, 'info' | 'warn'>
}

function toClusterParts(nodes: ClusterNodes, { partitions, prefix, ...common }: ClusterPartsOptions): RedisParts {
  const slots = new Map<RedisLink, number>()
  const toLink = (tag: string) => {
    const slot = slotOf(tag)
    const link = createRedisLink({ nodes, slot, prefix: `${prefix}{${tag}}:`, ...common })
    slots.set(link, slot)
    return link
  }
  return {
    isCluster: true,
    service: toLink(serviceTag),
    partitions: toTags(partitions).map(toLink),
    findUrls: (part) => [nodes.findUrl(slots.get(part) ?? 0)].filter((url) => url !== undefined),
    watch: nodes.watch,
    primaries: () =>
      nodes.primaries().map((url) => [toRedisAddress(url), { run: (command) => nodes.runOn(url, command) }]),
    close: nodes.close,
  }
}

async function checkNodes(parts: RedisParts, check: Parameters<typeof openRedisParts>[1]): Promise<void> {
  for (const [address, connection] of parts.primaries()) {
    try {
      await check?.(connection)
    } catch (cause) {
      throw new Error(`its node ${address}: ${cause instanceof Error ? cause.message : cause}`, { cause })
    }
  }
}

async function closeOnFailure(parts: RedisParts, check: () => Promise<void>): Promise<RedisParts> {
  try {
    await check()
    return parts
  } catch (error) {
    await parts.close()
    throw error
  }
}

/** The first node that answers says so. */
async function isCluster(urls: string[], answerMs: number): Promise<boolean> {
  const silent = { info: () => {}, warn: () => {} }
  let isOne = false
  const connection = await openConnection({
    urls: () => urls,
    logger: silent,
    greet: async (client) => {
      isOne = isClusterNode(toInfo(await client.info('cluster')))
    },
    answerMs,
  })
  await connection.close()
  return isOne
}
