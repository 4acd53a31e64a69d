/** The ports over their backends: the process's memory or the embedded database, and for state also Redis. */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createMemoryDirectory } from './adapters/memory/directory.ts'
import { createMemoryLog } from './adapters/memory/log.ts'
import { createMemoryRecentReports } from './adapters/memory/recent-reports.ts'
import { createMemoryRevocationFeed } from './adapters/memory/revocation-feed.ts'
import { createMemoryStore } from './adapters/memory/store.ts'
import { createRedisDirectory } from './adapters/redis/directory.ts'
import { openRedis, toRedisPlace } from './adapters/redis/open-redis.ts'
import { createRedisRevocationFeed } from './adapters/redis/revocation-feed.ts'
import { createRedisStore } from './adapters/redis/store.ts'
import type { DatabaseRole } from './adapters/sqlite/database.ts'
import { createSqliteDirectory } from './adapters/sqlite/directory.ts'
import { openSqliteEngine } from './adapters/sqlite/engine.ts'
import { createSqliteLog } from './adapters/sqlite/log.ts'
import { createSqliteRecentReports } from './adapters/sqlite/recent-reports.ts'
import { createSqliteRevocationFeed } from './adapters/sqlite/revocation-feed.ts'
import { createSqliteStore } from './adapters/sqlite/store.ts'
import { SettingsError } from './errors.ts'
import type { Clock } from './ports/clock.ts'
import type { Directory } from './ports/directory.ts'
import type { DeliveryLog, ReportLog } from './ports/log.ts'
import type { Logger } from './ports/logger.ts'
import type { RecentReports } from './ports/recent-reports.ts'
import type { RevocationFeed } from './ports/revocation-feed.ts'
import type { Store } from './ports/store.ts'
import type { Settings } from './settings.ts'

export interface Storage {
  store: Store
  directory: Directory
  revocationFeed: RevocationFeed
  reportLog: ReportLog
  deliveryLog: DeliveryLog
  recentReports: RecentReports
  close(): Promise<void>
}

export interface OpenStorageOptions {
  settings: Pick<Settings, 'memory' | 'dataDir' | 'redis' | 'redisDurability'>
  clock: Clock
  /** A `tool` works on what a server has, also while that is running; it makes nothing and takes no work over. */
  role: DatabaseRole
  /** Told when Redis goes away and when it is back. Default: nobody. */
  logger?: Pick<Logger, 'info' | 'warn'>
}

const nobody = { info: () => {}, warn: () => {} }

/** @throws SettingsError when what the settings name cannot be used. */
export async function openStorage(options: OpenStorageOptions): Promise<Storage> {
  const { redis } = options.settings
  return redis === undefined ? openLocalStorage(options) : openRedisStorage(options, redis)
}

/**
 * State in Redis; the logs and the recent reports stay with each process: in its data directory, or in its memory.
 * A tool has no part in those.
 */
async function openRedisStorage(options: OpenStorageOptions, url: string): Promise<Storage> {
  const { settings, clock, role, logger = nobody } = options
  const local = role === 'tool' ? memoryStorage({ clock }) : await openLocalStorage(options)
  try {
    const link = await openRedis({ url, durability: settings.redisDurability, role, logger })
    return {
      ...local,
      store: createRedisStore({ link, clock }),
      directory: createRedisDirectory({ link }),
      revocationFeed: createRedisRevocationFeed({ link, clock }),
      close: () => link.close().finally(() => local.close()),
    }
  } catch (cause) {
    await local.close()
    const reason = cause instanceof Error ? cause.message : cause
    throw new SettingsError(`--redis at ${toRedisPlace(url)} cannot be used: ${reason}`, { cause })
  }
}

async function openLocalStorage({ settings, clock, role }: OpenStorageOptions): Promise<Storage> {
  if (settings.memory) {
    if (role === 'server') return memoryStorage({ clock })
    throw new SettingsError('--memory keeps nothing that a command could work on; name the storage of the server')
  }
  try {
    return await sqliteStorage({ clock, folder: settings.dataDir, role })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause
    throw new SettingsError(`--data-dir "${settings.dataDir}" cannot be used: ${reason}`, { cause })
  }
}

export function memoryStorage({ clock }: { clock: Clock }): Storage {
  return {
    store: createMemoryStore({ clock }),
    directory: createMemoryDirectory(),
    revocationFeed: createMemoryRevocationFeed({ clock }),
    reportLog: createMemoryLog({ clock }),
    deliveryLog: createMemoryLog({ clock }),
    recentReports: createMemoryRecentReports(),
    close: async () => {},
  }
}

interface SqliteStorageOptions {
  clock: Clock
  folder: string
  role: DatabaseRole
}

/** @throws Error when the folder cannot be written or its database is not ours. */
async function sqliteStorage({ clock, folder, role }: SqliteStorageOptions): Promise<Storage> {
  if (role === 'server') await mkdir(folder, { recursive: true, mode: 0o700 })
  const engine = await openSqliteEngine({ file: join(folder, 'posrep.sqlite'), role })
  if (role === 'server') {
    await Promise.all([engine.call('log.endLeases', 'report'), engine.call('log.endLeases', 'delivery')])
  }
  return {
    store: createSqliteStore({ engine, clock }),
    directory: createSqliteDirectory({ engine }),
    revocationFeed: createSqliteRevocationFeed({ engine, clock }),
    reportLog: createSqliteLog({ engine, clock, name: 'report' }),
    deliveryLog: createSqliteLog({ engine, clock, name: 'delivery' }),
    recentReports: createSqliteRecentReports({ engine }),
    close: () => engine.close(),
  }
}
