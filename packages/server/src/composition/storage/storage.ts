/** Opens the storage. In: settings. Out: the storage ports, backed by memory, SQLite or Redis. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createMemoryDirectory } from '../../adapters/memory/directory.ts'
import { createMemoryLog } from '../../adapters/memory/log.ts'
import { createMemoryRecentDeliveries } from '../../adapters/memory/recent-deliveries.ts'
import { createMemoryRecentReports } from '../../adapters/memory/recent-reports.ts'
import { createMemoryRevocationFeed } from '../../adapters/memory/revocation-feed.ts'
import { createMemoryStore } from '../../adapters/memory/store.ts'
import { createSqliteDirectory } from '../../adapters/sqlite/directory.ts'
import { openSqliteEngine } from '../../adapters/sqlite/engine.ts'
import { createToolLog } from '../../adapters/sqlite/log/command-log.ts'
import { openSqliteLog } from '../../adapters/sqlite/log/log.ts'
import { createSqliteRecentDeliveries } from '../../adapters/sqlite/recent/recent-deliveries.ts'
import { createSqliteRecentReports } from '../../adapters/sqlite/recent/recent-reports.ts'
import { createSqliteReportFeed } from '../../adapters/sqlite/recent/report-feed.ts'
import { createSqliteRevocationFeed } from '../../adapters/sqlite/revocation-feed.ts'
import { createSqliteStore } from '../../adapters/sqlite/store.ts'
import { hideUnfinishedImports } from '../../adapters/unfinished-imports.ts'
import { ApiError, SettingsError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import { toRedisAddresses } from '../../ports/storage/redis-addresses.ts'
import type { Settings } from '../../settings/setting-table.ts'
import type { OpenStorageOptions, Storage } from './storage-ports.ts'

/**
 * The storage of the settings, as `startServer` opens it: to replace single members, and to give it to `startServer`.
 *
 * @throws SettingsError when the storage of the settings cannot be used.
 * @example
 * ```ts
 * import { createSystemClock, openStorage, resolveSettings, startServer } from '@posrep/server'
 *
 * const clock = createSystemClock()
 * const settings = resolveSettings({ flags: { memory: true, port: '0' }, environment: {} })
 * const storage = await openStorage({ settings, clock, role: 'server' })
 * // Replace single members of it here.
 * await startServer({ settings, storage, clock, logger: console, version: '0.1.0' })
 * ```
 */
export async function openStorage(options: OpenStorageOptions): Promise<Storage> {
  const { redis } = options.settings
  if (redis === undefined) return openLocalStorage(options)
  // Loaded here, because most servers and commands do not use it.
  const { openRedisStorage } = await import('./redis-storage.ts')
  try {
    return await openRedisStorage(options, redis)
  } catch (cause) {
    throw unusable(options.settings, cause)
  }
}

/** The error of a start that fails because the storage cannot be opened or stops answering. */
export function unusable({ redis, dataDir }: Pick<Settings, 'redis' | 'dataDir'>, cause: unknown): SettingsError {
  const storage = redis === undefined ? `--data-dir "${dataDir}"` : `--redis at ${toRedisAddresses(redis)}`
  // Adapters throw the same ApiError for every failed call; its cause is the reason.
  const reason = cause instanceof ApiError && cause.cause ? cause.cause : cause
  return new SettingsError(`${storage} cannot be used: ${reason instanceof Error ? reason.message : reason}`, { cause })
}

async function openLocalStorage({ settings, clock, role, onFatal }: OpenStorageOptions): Promise<Storage> {
  if (settings.memory) {
    if (role === 'server') return memoryStorage({ clock })
    throw new SettingsError('--memory has no stored data for a command; give --data-dir or --redis of the server')
  }
  try {
    return await sqliteStorage({ clock, folder: settings.dataDir, role, onFatal })
  } catch (cause) {
    throw unusable(settings, cause)
  }
}

export function memoryStorage({ clock }: { clock: Clock }): Storage {
  return {
    store: createMemoryStore({ clock }),
    directory: hideUnfinishedImports(createMemoryDirectory()),
    revocationFeed: createMemoryRevocationFeed({ clock }),
    reportLog: createMemoryLog({ clock, whenFull: 'refuse' }),
    deliveryLog: createMemoryLog({ clock }),
    airLog: createMemoryLog({ clock }),
    recentReports: createMemoryRecentReports(),
    recentDeliveries: createMemoryRecentDeliveries(),
    close: async () => {},
  }
}

interface SqliteStorageOptions extends Pick<OpenStorageOptions, 'clock' | 'role' | 'onFatal'> {
  folder: string
}

/** @throws Error when the folder cannot be written, or when the database belongs to another program. */
async function sqliteStorage({ clock, folder, role, onFatal }: SqliteStorageOptions): Promise<Storage> {
  if (role === 'server') await mkdir(folder, { recursive: true, mode: 0o700 })
  const engine = await openSqliteEngine({ file: join(folder, 'posrep.sqlite'), role, onFatal })
  const state = {
    store: createSqliteStore({ engine, clock }),
    directory: hideUnfinishedImports(createSqliteDirectory({ engine })),
    revocationFeed: createSqliteRevocationFeed({ engine, clock }),
    recentDeliveries: createSqliteRecentDeliveries({ engine }),
    openReportFeed: createSqliteReportFeed({ engine }),
    onCommit: engine.onCommit,
    close: () => engine.close(),
  }
  if (role === 'tool') {
    const reportLog = createToolLog({ engine, clock, name: 'report' })
    const deliveryLog = createToolLog({ engine, clock, name: 'delivery' })
    const airLog = createToolLog({ engine, clock, name: 'air' })
    return { ...state, reportLog, deliveryLog, airLog, recentReports: createSqliteRecentReports({ engine }) }
  }
  const [reportLog, deliveryLog, airLog] = await Promise.all([
    openSqliteLog({ engine, clock, name: 'report' }),
    openSqliteLog({ engine, clock, name: 'delivery' }),
    openSqliteLog({ engine, clock, name: 'air' }),
  ])
  return { ...state, reportLog, deliveryLog, airLog, recentReports: createSqliteRecentReports({ engine, reportLog }) }
}
