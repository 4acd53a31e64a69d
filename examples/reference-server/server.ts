/**
 * The server with parts of our own: a seed, a stage, and a storage adapter for small records.
 * In: the environment. Out: the running server and its storage; SettingsError for a wrong setting.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createSystemClock, openStorage, resolveSettings, startServer } from '@posrep/server'
import { lowOverAirport } from './low-over-airport.ts'
import { seed } from './seed.ts'
import { openSqliteStore } from './sqlite-store.ts'

const logger = { debug: () => {}, info: console.info, warn: console.warn, error: console.error }

export async function startReferenceServer(environment: Record<string, string | undefined>) {
  const settings = resolveSettings({ flags: {}, environment })
  const clock = createSystemClock()
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 })
  const opened = await openStorage({ settings, clock, role: 'server', logger })
  const store = openSqliteStore({ file: join(settings.dataDir, 'store.sqlite'), clock })
  const storage = {
    ...opened,
    store,
    async close() {
      await opened.close()
      store.close()
    },
  }
  const server = await startServer({
    settings,
    clock,
    logger,
    version: '1.0.0',
    seeds: [seed],
    stages: [lowOverAirport],
    storage,
  })
  return { server, storage }
}
