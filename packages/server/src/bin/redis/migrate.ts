/** `posrep-server redis migrate`: copies the data, and prints how much there is of each kind. */
import { migrateRedis } from '../../adapters/redis/migration/migrate-redis.ts'
import { toTable } from '../../admin/table.ts'
import { SettingsError } from '../../errors.ts'
import { findRedisUrls, toRedisAddresses } from '../../ports/storage/redis-addresses.ts'
import type { Settings } from '../../settings/setting-table.ts'

export interface MigrateOptions {
  settings: Settings
  /** The value of `--redis`: the cluster. */
  url: string
  /** The Redis that has the data. */
  from: string
  json?: boolean
}

const keysPerLine = 100_000

/** @throws Error whose message says what to do. */
export async function migrateToCluster({ settings, url, from, json = false }: MigrateOptions): Promise<void> {
  if (findRedisUrls(from) === undefined) {
    throw new SettingsError('--from must be a URL such as "redis://redis.example.com:6379"')
  }
  let told = 0
  const counts = await migrateRedis({
    from,
    to: url,
    durability: settings.redisDurability,
    partitions: settings.redisPartitions,
    replicas: settings.redisReplicas,
    logger: { info: () => {}, warn: (_, message) => process.stderr.write(`posrep-server: ${message}\n`) },
    onKeys(keys) {
      if (keys < told + keysPerLine) return
      told = keys
      process.stderr.write(`posrep-server: ${keys} keys copied\n`)
    },
  })
  const rows = [...counts].map(([title, number]) => ({ COPIED: String(number), WHAT: title }))
  const done = `All data of ${toRedisAddresses(from)} is in the cluster; start the servers with --redis ${toRedisAddresses(url)}`
  process.stdout.write(
    json
      ? `${JSON.stringify({ copied: Object.fromEntries(counts) }, undefined, 2)}\n`
      : `${toTable(rows)}\n\n${done}\n`,
  )
}
