/** `posrep-server backup` and `restore`: a copy of everything in the data directory's database, also while the server runs. */
import { join } from 'node:path'
import type { Command } from 'commander'
import { backupDatabase, restoreDatabase } from '../adapters/sqlite/backup.ts'
import { SettingsError } from '../errors.ts'
import { addSettings, readSettings } from './command-settings.ts'

const storageSettings = new Set(['data-dir', 'redis', 'redis-durability'])

export function addBackupCommands(program: Command): void {
  copies(
    program.command('backup <file>').description('copy everything the server keeps into a new file, as of one moment'),
    (database, file) => {
      const { bytes } = backupDatabase(database, file)
      return `Copied "${database}" to "${file}" (${(bytes / 1e6).toFixed(1)} MB)`
    },
  )
  copies(
    program.command('restore <file>').description('put everything back as it was when the file was made by backup'),
    (database, file) => {
      restoreDatabase(database, file)
      return `Replaced what was in "${database}" with "${file}"`
    },
  )
}

/** @param work Returns what to say. */
function copies(command: Command, work: (database: string, file: string) => string): void {
  addSettings(command, storageSettings).action(async (file: string) => {
    try {
      const { redis, dataDir } = await readSettings(command)
      if (redis !== undefined) {
        throw new SettingsError(
          'With --redis everything is in Redis; copy that: BGSAVE there, then the file that its CONFIG GET dir and dbfilename name',
        )
      }
      process.stdout.write(`${work(join(dataDir, 'posrep.sqlite'), file)}\n`)
    } catch (error) {
      // Whatever the disk or SQLite says stands in the message; there is nothing to add for whoever typed the command.
      if (!(error instanceof Error)) throw error
      process.stderr.write(`posrep-server: ${error.message}\n`)
      process.exitCode = error instanceof SettingsError ? 2 : 1
    }
  })
}
