/**
 * The storage in a Redis or a Redis Cluster, which any number of processes can share to act as one server. Loaded only
 * with `--redis`.
 */
import { createRedisAnnouncements } from '../../adapters/redis/announcements.ts'
import { createRedisDirectory } from '../../adapters/redis/directory.ts'
import type { RedisLink } from '../../adapters/redis/link/link.ts'
import { openRedis, openRedisParts, usualAnswerMs } from '../../adapters/redis/link/open-redis.ts'
import { openRedisPubSub, type RedisPubSub } from '../../adapters/redis/link/pub-sub.ts'
import { createRedisLog, type RedisLog } from '../../adapters/redis/log/log.ts'
import { isLate } from '../../adapters/redis/nodes/connection.ts'
import { createPartitionedCounts } from '../../adapters/redis/partitions/partitioned-counts.ts'
import { createPartitionedLog } from '../../adapters/redis/partitions/partitioned-log.ts'
import {
  createPartitionedRecentDeliveries,
  createPartitionedRecentReports,
  createPartitionedReportFeed,
} from '../../adapters/redis/partitions/partitioned-recent.ts'
import { createPartitionedStore } from '../../adapters/redis/partitions/partitioned-store.ts'
import { findPartsAway } from '../../adapters/redis/partitions/parts-away.ts'
import { createRedisRecentDeliveries } from '../../adapters/redis/recent/recent-deliveries.ts'
import { createRedisRecentReports } from '../../adapters/redis/recent/recent-reports.ts'
import { createRedisReportFeed } from '../../adapters/redis/recent/report-feed.ts'
import { createRedisRelayChanges } from '../../adapters/redis/relay-changes.ts'
import { createRedisRevocationFeed } from '../../adapters/redis/revocation-feed.ts'
import { createRedisSharedCounts } from '../../adapters/redis/shared-counts.ts'
import { createRedisStore } from '../../adapters/redis/store.ts'
import { hideUnfinishedImports } from '../../adapters/unfinished-imports.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import type { LogName } from '../../ports/storage/log.ts'
import type { OpenStorageOptions, Storage } from './storage-ports.ts'

const silentLogger = { info: () => {}, warn: () => {} }

/**
 * A server opens a Redis that is late again: the machine may be busy. A person who waits for a tool is told at once.
 */
const maxAttempts = { server: 3, tool: 1 }

/** @throws Error when the Redis cannot be used. */
export async function openRedisStorage(options: OpenStorageOptions, url: string): Promise<Storage> {
  const { role, logger = silentLogger } = options
  for (let attempt = 1; ; attempt++) {
    try {
      return await openOnce({ ...options, logger }, url)
    } catch (cause) {
      if (!isLate(cause) || attempt === maxAttempts[role]) throw cause
      logger.warn({ err: cause, attempt }, 'redis was late; opening it again')
    }
  }
}

async function openOnce(
  {
    settings,
    clock,
    role,
    logger,
    redisAnswerMs: answerMs = usualAnswerMs[role],
  }: OpenStorageOptions & Required<Pick<OpenStorageOptions, 'logger'>>,
  url: string,
): Promise<Storage> {
  const opened: { close(): Promise<void> }[] = []
  const close = async () => {
    await Promise.all(opened.map((part) => part.close()))
  }
  try {
    const { redisPartitions: partitions, redisReplicas: replicas } = settings
    const options = { url, partitions, replicas, answerMs }
    const main = await openRedis({ ...options, durability: settings.redisDurability, role, logger })
    opened.push(main)
    // Reports have connections of their own, so that small, urgent commands do not wait behind large reports.
    const reports = await openRedisParts({ ...options, logger: forConnection('reports', logger) })
    opened.push(reports)
    const pubSub = await openRedisPubSub({ parts: main, logger: forConnection('pub-sub', logger) })
    opened.push(pubSub)
    return {
      directory: hideUnfinishedImports(createRedisDirectory({ link: main.service })),
      revocationFeed: createRedisRevocationFeed({ link: main.service, clock }),
      announcements: createRedisAnnouncements({ link: reports.service, pubSub }),
      relayChanges: createRedisRelayChanges({ link: main.service, pubSub }),
      ...(main.isCluster && { findPartsAway: () => findPartsAway(main) }),
      ...toPartitionedPorts({ main: main.partitions, reports: reports.partitions, clock, pubSub }),
      close,
    }
  } catch (cause) {
    await close()
    throw cause
  }
}

interface PartitionedPortsOptions {
  /** Links of all partitions, for small and urgent commands. */
  main: RedisLink[]
  /** The same, over the connections of reports. */
  reports: RedisLink[]
  clock: Clock
  pubSub: RedisPubSub
}

/** What is kept by device or by key. One Redis has one partition, which needs no routing. */
function toPartitionedPorts({ main, reports, clock, pubSub }: PartitionedPortsOptions) {
  const [only] = main.length === 1 ? reports : []
  const toLog = (name: LogName): RedisLog =>
    only
      ? createRedisLog({ link: only, clock, name, pubSub })
      : createPartitionedLog({ links: reports, clock, name, pubSub })
  const join = <P>(links: RedisLink[], create: (link: RedisLink) => P, toOne: (partitions: P[]) => P): P => {
    const partitions = links.map(create)
    const [first] = partitions
    return first !== undefined && partitions.length === 1 ? first : toOne(partitions)
  }
  const reportLog = toLog('report')
  return {
    reportLog,
    deliveryLog: toLog('delivery'),
    airLog: toLog('air'),
    recentReports: only
      ? createRedisRecentReports({ link: only, reportLog })
      : createPartitionedRecentReports({ links: reports, clock, reportLog }),
    recentDeliveries: join(reports, (link) => createRedisRecentDeliveries({ link }), createPartitionedRecentDeliveries),
    openReportFeed: join(reports, (link) => createRedisReportFeed({ link, clock }), createPartitionedReportFeed),
    store: join(main, (link) => createRedisStore({ link, clock }), createPartitionedStore),
    sharedCounts: join(main, (link) => createRedisSharedCounts({ link, clock }), createPartitionedCounts),
  }
}

/** Adds the name of the connection to each log line. */
function forConnection(connection: string, logger: Pick<Logger, 'info' | 'warn'>): Pick<Logger, 'info' | 'warn'> {
  return {
    info: (fields, message) => logger.info({ ...fields, connection }, message),
    warn: (fields, message) => logger.warn({ ...fields, connection }, message),
  }
}
