/** The storage in a Redis, which any number of processes can share to act as one server. Loaded only with `--redis`. */
import { createRedisAnnouncements } from '../../adapters/redis/announcements.ts'
import { createRedisDirectory } from '../../adapters/redis/directory.ts'
import { openRedisLink } from '../../adapters/redis/link/link.ts'
import { openRedis } from '../../adapters/redis/link/open-redis.ts'
import { openRedisPubSub } from '../../adapters/redis/link/pub-sub.ts'
import { createRedisLog } from '../../adapters/redis/log/log.ts'
import { createRedisRecentDeliveries } from '../../adapters/redis/recent/recent-deliveries.ts'
import { createRedisRecentReports } from '../../adapters/redis/recent/recent-reports.ts'
import { createRedisReportFeed } from '../../adapters/redis/recent/report-feed.ts'
import { createRedisRelayChanges } from '../../adapters/redis/relay-changes.ts'
import { createRedisRevocationFeed } from '../../adapters/redis/revocation-feed.ts'
import { createRedisSharedCounts } from '../../adapters/redis/shared-counts.ts'
import { createRedisStore } from '../../adapters/redis/store.ts'
import { hideUnfinishedImports } from '../../adapters/unfinished-imports.ts'
import type { Logger } from '../../ports/logger.ts'
import type { OpenStorageOptions, Storage } from './storage-ports.ts'

const silentLogger = { info: () => {}, warn: () => {} }

/** @throws Error when the Redis cannot be used. */
export async function openRedisStorage(
  { settings, clock, role, logger = silentLogger }: OpenStorageOptions,
  url: string,
): Promise<Storage> {
  const opened: { close(): Promise<void> }[] = []
  const close = async () => {
    await Promise.all(opened.map((part) => part.close()))
  }
  try {
    const link = await openRedis({ url, durability: settings.redisDurability, role, logger })
    opened.push(link)
    // Reports have a connection of their own, so that small, urgent commands do not wait behind large reports.
    const reports = await openRedisLink({ url, logger: forConnection('reports', logger) })
    opened.push(reports)
    await reports.begin()
    const pubSub = await openRedisPubSub({ url, prefix: reports.prefix, logger: forConnection('pub-sub', logger) })
    opened.push(pubSub)
    const reportLog = createRedisLog({ link: reports, clock, name: 'report', pubSub })
    return {
      store: createRedisStore({ link, clock }),
      directory: hideUnfinishedImports(createRedisDirectory({ link })),
      revocationFeed: createRedisRevocationFeed({ link, clock }),
      reportLog,
      deliveryLog: createRedisLog({ link: reports, clock, name: 'delivery', pubSub }),
      airLog: createRedisLog({ link: reports, clock, name: 'air', pubSub }),
      recentReports: createRedisRecentReports({ link: reports, reportLog }),
      recentDeliveries: createRedisRecentDeliveries({ link: reports }),
      openReportFeed: createRedisReportFeed({ link: reports, clock }),
      announcements: createRedisAnnouncements({ link: reports, pubSub }),
      relayChanges: createRedisRelayChanges({ link, pubSub }),
      sharedCounts: createRedisSharedCounts({ link, clock }),
      close,
    }
  } catch (cause) {
    await close()
    throw cause
  }
}

/** Adds the name of the connection to each log line. */
function forConnection(connection: string, logger: Pick<Logger, 'info' | 'warn'>): Pick<Logger, 'info' | 'warn'> {
  return {
    info: (fields, message) => logger.info({ ...fields, connection }, message),
    warn: (fields, message) => logger.warn({ ...fields, connection }, message),
  }
}
