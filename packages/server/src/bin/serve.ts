#!/usr/bin/env node
/** `posrep-server`: the operator's door. Serves, or adminAction what a server has; exit 2 on a wrong setting. */
import { Command } from 'commander'
import { SettingsError } from '../errors.ts'
import { version } from '../version.ts'
import { addAccountCommands } from './accounts.ts'
import { addBackupCommands } from './backup.ts'
import { addBuriedCommands } from './buried.ts'
import { addClientCommands } from './clients.ts'
import { addSettings, readSettings } from './command-settings.ts'
import { addDeviceCommands } from './devices.ts'
import { addKeyCommands } from './keys.ts'
import { addSensorCommands } from './sensors.ts'
import { addUserCommands } from './users.ts'

const program = new Command('posrep-server')
  .description('OAuth 2.0 identity provider and surveillance ingest for aircraft position reports')
  .version(version)
  .addHelpText('after', '\nThe settings of the server: posrep-server serve --help')
  // `serve` is the default, and would take the unknown word for an argument of its own.
  .hook('preSubcommand', (_program, command) => {
    const [first = ''] = program.args
    if (command.name() === 'serve' && first !== 'serve' && /^[^-]/.test(first)) {
      program.error(`unknown command '${first}'; "posrep-server --help" lists those there are`)
    }
  })
  // A wrong flag is a wrong setting: one line, as for those.
  .configureOutput({ outputError: (text, write) => write(`posrep-server: ${toLine(text)}\n`) })
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))

addSettings(program.command('serve', { isDefault: true }).description('run the server')).action(serve)

program.commandsGroup('Administration, also while the server is running:')
addAccountCommands(program)
addUserCommands(program)
addClientCommands(program)
addSensorCommands(program)
addDeviceCommands(program)
addKeyCommands(program)
addBackupCommands(program)
addBuriedCommands(program)

await program.parseAsync()

/** Commander says "error:" in front, and what may have been meant on a line of its own. */
function toLine(text: string): string {
  return text
    .replace(/^error: /, '')
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
}

async function serve(_options: unknown, command: Command): Promise<void> {
  try {
    const settings = await readSettings(command)
    // Not for the other commands, which are quick without it.
    const { serveUntilSignal } = await import('./run-server.ts')
    await serveUntilSignal(settings)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    process.stderr.write(`posrep-server: ${error.message}\n`)
    process.exit(2)
  }
}
