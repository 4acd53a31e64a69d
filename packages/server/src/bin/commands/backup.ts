/** `posrep-server backup` and `restore`: copy the database of the data directory, also while the server runs. */
import { join } from 'node:path'
import { toVisible } from '@posrep/kernel/visible'
import type { Command } from 'commander'
import { backupDatabase, restoreDatabase } from '../../adapters/sqlite/database/backup.ts'
import { SettingsError } from '../../errors.ts'
import { addSettings, readSettings } from '../command-settings.ts'
import { addYesOption, confirmOnTerminal } from '../confirm.ts'

const storageSettings = ['dataDir', 'redis', 'redisDurability', 'redisPartitions', 'redisReplicas'] as const

export function addBackupCommands(program: Command): void {
  addCopyAction(
    program.command('backup <file>').description('write a consistent copy of the database to a new file'),
    (database, file) => {
      const { bytes } = backupDatabase(database, file)
      return `Copied "${database}" to "${file}" (${(bytes / 1e6).toFixed(1)} MB)`
    },
  )
  addCopyAction(
    program.command('restore <file>').description('replace the database with a file written by backup'),
    (database, file) => {
      restoreDatabase(database, file)
      return `Replaced the content of "${database}" with "${file}"`
    },
    (database, file) => `Replace the content of "${database}" with "${file}"? What is newer than the backup is deleted`,
  )
}

/**
 * @param copy Returns the message to print.
 * @param toQuestion What is asked first on a terminal. Default: nothing.
 */
function addCopyAction(
  command: Command,
  copy: (database: string, file: string) => string,
  toQuestion?: (database: string, file: string) => string,
): void {
  if (toQuestion) addYesOption(command)
  addSettings(command, storageSettings).action(async (file: string) => {
    try {
      const { redis, dataDir } = await readSettings(command)
      if (redis !== undefined) {
        throw new SettingsError(
          'With --redis all data is in Redis; to copy it, run BGSAVE there and copy the file named by its settings dir and dbfilename',
        )
      }
      const database = join(dataDir, 'posrep.sqlite')
      if (toQuestion) await confirmOnTerminal(command, toQuestion(database, file))
      process.stdout.write(`${copy(database, file)}\n`)
    } catch (error) {
      // Errors of the file system and of SQLite have messages that are clear without a stack.
      if (!(error instanceof Error)) throw error
      process.stderr.write(`posrep-server: ${toVisible(error.message)}\n`)
      process.exitCode = error instanceof SettingsError ? 2 : 1
    }
  })
}
