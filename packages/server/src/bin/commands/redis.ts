/** `posrep-server redis`: what an operator does with a Redis or a Redis Cluster beside the server. */
import { helpEnd } from '@posrep/kernel/help'
import { toVisible } from '@posrep/kernel/visible'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { SettingsError } from '../../errors.ts'
import type { Settings } from '../../settings/setting-table.ts'
import { addSettings, readSettings } from '../command-settings.ts'

const redisSettings = ['redis', 'redisDurability', 'redisPartitions', 'redisReplicas'] as const
const recentSettings = ['metricWindow', 'recentLimit', 'recentMib'] as const

export function addRedisCommands(program: Command): void {
  const redis = program.command('redis').description('check a Redis or a Redis Cluster, or move from one to the other')

  const check = redis
    .command('check')
    .description('compare a Redis or a Redis Cluster with what the server promises; exit 1 with what to change')
    .option('--sensors <N>', 'estimate the memory for N sensors that report one position a second', toWhole)
    .option('--json', 'print one JSON document')
  addSettings(check, [...redisSettings, ...recentSettings]).action((options: { sensors?: number; json?: boolean }) =>
    runWith(check, async (settings, url) => {
      // Imported here so that the other commands start quickly.
      const { checkRedisDeployment } = await import('../redis/check.ts')
      await checkRedisDeployment({ ...options, settings, url })
    }),
  )

  const migrate = redis
    .command('migrate')
    .description('copy all data of one Redis to an empty Redis Cluster (--redis), while no server runs')
    .addOption(
      new Option('--from <URL>', 'the Redis that has the data').env('POSREP_MIGRATE_FROM').makeOptionMandatory(),
    )
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      helpEnd({
        notes:
          'The Redis keeps its data; afterwards no server starts on it. If the command fails or is killed, run it again: it starts from the beginning, and the cluster cannot be used before it has succeeded.',
      }),
    )
  addSettings(migrate, redisSettings).action((options: { from: string; json?: boolean }) =>
    runWith(migrate, async (settings, url) => {
      const { migrateToCluster } = await import('../redis/migrate.ts')
      await migrateToCluster({ ...options, settings, url })
    }),
  )
}

function toWhole(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number > 0) return number
  throw new InvalidArgumentError('It must be a whole number above 0.')
}

/** Reads the settings, and prints an error as one line. */
async function runWith(command: Command, work: (settings: Settings, url: string) => Promise<void>): Promise<void> {
  try {
    const settings = await readSettings(command)
    const { redis } = settings
    if (redis === undefined)
      throw new SettingsError('--redis is required: the Redis or the Redis Cluster of the server')
    await work(settings, redis)
  } catch (error) {
    // Errors of the adapters have messages that are clear without a stack.
    if (!(error instanceof Error)) throw error
    process.stderr.write(`posrep-server: ${toVisible(error.message)}\n`)
    process.exitCode = error instanceof SettingsError ? 2 : 1
  }
}
