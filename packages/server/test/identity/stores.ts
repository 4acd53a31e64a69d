/** The storages of the identity provider: tests of revocation and of concurrent requests run on each of them. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { hangsAfterMs } from '../../../../testing/real-time.ts'
import { createRedisDirectory } from '../../src/adapters/redis/directory.ts'
import { openRedis } from '../../src/adapters/redis/link/open-redis.ts'
import { createRedisRevocationFeed } from '../../src/adapters/redis/revocation-feed.ts'
import { createRedisStore } from '../../src/adapters/redis/store.ts'
import { hideUnfinishedImports } from '../../src/adapters/unfinished-imports.ts'
import { memoryStorage, openStorage } from '../../src/composition/storage/storage.ts'
import { aSharedRedisServer, isRedisWanted } from '../adapters/redis/redis-server.ts'
import type { IdentityStorage, OpenIdentityStorage } from './an-identity.ts'

export interface StorageUnderTest {
  name: string
  /** Opens an empty storage, which is removed after the test. */
  open: OpenIdentityStorage
}

const memory: StorageUnderTest = { name: 'memory', open: async ({ clock }) => memoryStorage({ clock }) }

const sqlite: StorageUnderTest = {
  name: 'sqlite',
  async open({ clock }) {
    const dataDir = await mkdtemp(join(tmpdir(), 'posrep-identity-'))
    const storage = await openStorage({
      settings: { memory: false, dataDir, redis: undefined, redisDurability: 'always' },
      clock,
      role: 'server',
    })
    onTestFinished(async () => {
      await storage.close()
      await rm(dataDir, { recursive: true })
    })
    return storage
  },
}

/** Each storage has its own prefix. */
const redis: StorageUnderTest = {
  name: 'redis',
  async open({ clock }) {
    const { url } = await aSharedRedisServer()
    const prefix = `posrep-identity-${randomUUID()}:`

    async function connect(): Promise<IdentityStorage> {
      const { service: link, close } = await openRedis({
        url,
        durability: 'always',
        role: 'server',
        logger,
        prefix,
        answerMs: hangsAfterMs,
      })
      onTestFinished(close)
      return {
        store: createRedisStore({ link, clock }),
        directory: hideUnfinishedImports(createRedisDirectory({ link })),
        revocationFeed: createRedisRevocationFeed({ link, clock }),
      }
    }

    return { ...(await connect()), again: connect }
  },
}

const logger = { info: () => {}, warn: () => {} }

export const storages: StorageUnderTest[] = [memory, sqlite, ...(isRedisWanted ? [redis] : [])]
