/** Parses the command line: runs the server, or administers its storage. A wrong setting ends with exit 2. */
import { Command } from 'commander'
import { SettingsError } from '../errors.ts'
import { version } from '../version.ts'
import { addAllSettings, readSettings } from './command-settings.ts'
import { addAccountCommands } from './commands/accounts.ts'
import { addBackupCommands } from './commands/backup.ts'
import { addBuriedCommands } from './commands/buried.ts'
import { addClientCommands } from './commands/clients.ts'
import { addDeviceCommands } from './commands/devices.ts'
import { addKeyCommands } from './commands/keys.ts'
import { addSensorCommands } from './commands/sensors.ts'
import { addUserCommands } from './commands/users.ts'
import { addCompletionCommand } from './completion.ts'

const program = new Command('posrep-server')
  .description('OAuth 2.0 identity provider and surveillance ingest for aircraft position reports')
  .version(version)
  .addHelpText('after', '\nThe settings of the server: posrep-server serve --help')
  // A wrong flag is reported like a wrong setting: one line and exit 2.
  .configureOutput({ outputError: (text, write) => write(`posrep-server: ${toLine(text)}\n`) })
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))

addAllSettings(program.command('serve').description('run the server')).action(serve)

program.commandsGroup('Administration, also while the server runs:')
addAccountCommands(program)
addUserCommands(program)
addClientCommands(program)
addSensorCommands(program)
addDeviceCommands(program)
addKeyCommands(program)
addBackupCommands(program)
addBuriedCommands(program)
addCompletionCommand(program)
for (const command of program.commands) nameCommandsOf(command)

await program.parseAsync(withCommand(process.argv.slice(2)), { from: 'user' })

/** Without a command, the arguments are those of `serve`. It is not commander's default command, which would take a misspelt one as its argument. */
function withCommand(given: string[]): string[] {
  const [first] = given
  const isServe = first === undefined || (first.startsWith('-') && !['--help', '-h', '--version', '-V'].includes(first))
  return isServe ? ['serve', ...given] : given
}

/** An option that stands before the command of a group is unknown to the group, whatever it is. */
function nameCommandsOf(group: Command): void {
  const names = group.commands.map((command) => command.name())
  if (names.length === 0) return
  const { outputError = () => {} } = group.configureOutput()
  group.configureOutput({
    outputError(text, write) {
      const option = /^error: unknown option '([^']*)'/.exec(text)?.[1]
      const named = `"${group.name()}" needs a command before ${option}: ${names.join(', ')}`
      outputError(option === undefined ? text : named, write)
    },
  })
  for (const command of group.commands) nameCommandsOf(command)
}

/** Commander starts with "error:", and puts its suggestion on a second line. */
function toLine(text: string): string {
  const line = text
    .replace(/^error: /, '')
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
  const unknown = /^unknown command '([^']*)'$/.exec(line)?.[1]
  return unknown === undefined ? line : `${line}${toHint(unknown)}`
}

/** The word may be a command of a group, given without the group: "relay" for "devices relay". */
function toHint(unknown: string): string {
  const groups = program.commands.filter(({ commands }) => commands.some((command) => command.name() === unknown))
  const complete = groups.map((group) => `${group.name()} ${unknown}`)
  return complete.length > 0 ? ` (Did you mean ${complete.join(' or ')}?)` : '; --help lists the commands'
}

async function serve(_options: unknown, command: Command): Promise<void> {
  try {
    const settings = await readSettings(command)
    // Imported here so that the other commands start quickly.
    const { serveUntilSignal } = await import('./run-server.ts')
    await serveUntilSignal(settings)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    process.stderr.write(`posrep-server: ${error.message}\n`)
    process.exit(2)
  }
}
