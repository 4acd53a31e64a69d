/** Every storage that a server can have, whole and empty. Each ends with its test. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { hangsAfterMs } from '../../../testing/real-time.ts'
import { openStorage } from '../src/composition/storage/storage.ts'
import type { Storage } from '../src/composition/storage/storage-ports.ts'
import type { Clock } from '../src/ports/clock.ts'
import { aRedisServer, isRedisWanted } from './adapters/redis/redis-server.ts'

export interface FullStorage {
  name: string
  open(options: { clock: Clock }): Promise<Storage>
}

async function openIn(clock: Clock, { memory = false, redis }: { memory?: boolean; redis?: string }): Promise<Storage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'posrep-storage-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const settings = { memory, dataDir, redis, redisDurability: 'always' } as const
  const storage = await openStorage({ settings, clock, role: 'server', redisAnswerMs: hangsAfterMs })
  onTestFinished(() => storage.close())
  return storage
}

const memory: FullStorage = { name: 'memory', open: ({ clock }) => openIn(clock, { memory: true }) }
const sqlite: FullStorage = { name: 'sqlite', open: ({ clock }) => openIn(clock, {}) }
const redis: FullStorage = {
  name: 'redis',
  open: async ({ clock }) => openIn(clock, { redis: (await aRedisServer()).url }),
}

export const fullStorages: FullStorage[] = [memory, sqlite, ...(isRedisWanted ? [redis] : [])]
