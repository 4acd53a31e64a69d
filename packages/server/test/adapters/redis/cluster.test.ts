/**
 * The contracts of the storage ports on a real Redis Cluster of three primaries, with the partitions of a deployment.
 * CLUSTER_CONTRACTS=1, as in CI, runs all of them; otherwise those of the adapters that partitions make most different.
 */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe } from 'vitest'
import { hangsAfterMs } from '../../../../../testing/real-time.ts'
import { createRedisDirectory } from '../../../src/adapters/redis/directory.ts'
import { openRedis, type RedisParts } from '../../../src/adapters/redis/link/open-redis.ts'
import { createPartitionedLog } from '../../../src/adapters/redis/partitions/partitioned-log.ts'
import {
  createPartitionedRecentDeliveries,
  createPartitionedRecentReports,
  createPartitionedReportFeed,
} from '../../../src/adapters/redis/partitions/partitioned-recent.ts'
import { createPartitionedStore } from '../../../src/adapters/redis/partitions/partitioned-store.ts'
import { createRedisRecentDeliveries } from '../../../src/adapters/redis/recent/recent-deliveries.ts'
import { createRedisReportFeed } from '../../../src/adapters/redis/recent/report-feed.ts'
import { createRedisRevocationFeed } from '../../../src/adapters/redis/revocation-feed.ts'
import { createRedisStore } from '../../../src/adapters/redis/store.ts'
import { directoryContract } from '../../../src/contracts/directory-contract.ts'
import { logContract } from '../../../src/contracts/log/log-contract.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { recentDeliveriesContract } from '../../../src/contracts/recent-deliveries-contract.ts'
import { recentReportsContract } from '../../../src/contracts/recent-reports-contract.ts'
import { revocationFeedContract } from '../../../src/contracts/revocation-feed-contract.ts'
import { storeContract } from '../../../src/contracts/store-contract.ts'
import { reportFeedFacts } from '../report-feed-facts.ts'
import { aRedisCluster, type RedisCluster } from './redis-cluster.ts'
import { isRedisWanted, testWithRedisServer } from './redis-server.ts'

const logger = { info: () => {}, warn: () => {} }
let cluster: RedisCluster

beforeAll(async () => {
  if (isRedisWanted) cluster = await aRedisCluster({ persistence: ['--save', ''] })
})

/** Fewer partitions than usual, so that queues of a test also meet in one. */
async function openParts(prefix = `posrep-test-${randomUUID()}:`): Promise<RedisParts> {
  return openRedis({
    url: cluster.url,
    partitions: 8,
    durability: 'none',
    role: 'server',
    logger,
    prefix,
    answerMs: hangsAfterMs,
  })
}

async function subject<P>(create: (parts: RedisParts) => P) {
  const parts = await openParts()
  return { port: create(parts), close: () => parts.close() }
}

describe('cluster report log', () =>
  logContract(testWithRedisServer, ({ clock }) =>
    subject(({ partitions }) => createPartitionedLog({ links: partitions, clock, name: 'report' })),
  ))
describe('cluster recent reports', () =>
  recentReportsContract(testWithRedisServer, () =>
    subject(({ partitions }) => createPartitionedRecentReports({ links: partitions, clock: createManualClock() })),
  ))
if (process.env.CLUSTER_CONTRACTS === '1') {
  describe('cluster store', () =>
    storeContract(testWithRedisServer, ({ clock }) =>
      subject(({ partitions }) => createPartitionedStore(partitions.map((link) => createRedisStore({ link, clock })))),
    ))
  describe('cluster recent deliveries', () =>
    recentDeliveriesContract(testWithRedisServer, () =>
      subject(({ partitions }) =>
        createPartitionedRecentDeliveries(partitions.map((link) => createRedisRecentDeliveries({ link }))),
      ),
    ))
  describe('cluster report feed beside a server', () =>
    reportFeedFacts(testWithRedisServer, async () => {
      const clock = createManualClock()
      const server = await openParts()
      const tool = await openParts(server.service.prefix.replace('{service}:', ''))
      const log = createPartitionedLog({ links: server.partitions, clock, name: 'report' })
      return {
        log,
        recent: createPartitionedRecentReports({ links: server.partitions, clock, reportLog: log }),
        openFeed: createPartitionedReportFeed(tool.partitions.map((link) => createRedisReportFeed({ link, clock }))),
        async close() {
          await Promise.all([server.close(), tool.close()])
        },
      }
    }))

  describe('cluster delivery log', () =>
    logContract(testWithRedisServer, ({ clock }) =>
      subject(({ partitions }) => createPartitionedLog({ links: partitions, clock, name: 'delivery' })),
    ))
  describe('cluster air log', () =>
    logContract(testWithRedisServer, ({ clock }) =>
      subject(({ partitions }) => createPartitionedLog({ links: partitions, clock, name: 'air' })),
    ))
  describe('cluster directory', () =>
    directoryContract(testWithRedisServer, () => subject(({ service: link }) => createRedisDirectory({ link }))))
  describe('cluster revocation feed', () =>
    revocationFeedContract(testWithRedisServer, ({ clock }) =>
      subject(({ service: link }) => createRedisRevocationFeed({ link, clock })),
    ))
}
