/** Parses the command line: runs the server, or administers its storage. A wrong setting ends with exit 2. */

import { ensureCertainEnd } from '@posrep/kernel/certain-end'
import { addCompletionCommand } from '@posrep/kernel/completion'
import { helpEnd, shapeHelp } from '@posrep/kernel/help'
import { toVisible } from '@posrep/kernel/visible'
import { Command } from 'commander'
import { SettingsError } from '../errors.ts'
import { version } from '../version.ts'
import { addAllSettings, readSettings, warnOfUnknownVariables } from './command-settings.ts'
import { addAccountCommands } from './commands/accounts.ts'
import { addBackupCommands } from './commands/backup.ts'
import { addBuriedCommands } from './commands/buried.ts'
import { addClientCommands } from './commands/clients.ts'
import { addDeviceCommands } from './commands/devices.ts'
import { addKeyCommands } from './commands/keys.ts'
import { addRedisCommands } from './commands/redis.ts'
import { addSensorCommands } from './commands/sensors.ts'
import { addUserCommands } from './commands/users.ts'

const program = shapeHelp(new Command('posrep-server'))
  .description('Run an OAuth 2.0 identity provider and surveillance ingest for aircraft position reports.')
  .version(version)
  .addHelpText(
    'after',
    helpEnd({
      notes: 'The settings of the server: posrep-server serve --help',
      examples: ['posrep-server --demo', 'posrep-server --data-dir posrep-data --seed seed.json'],
    }),
  )
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
addRedisCommands(program)
addCompletionCommand(program, {
  description: 'print the script with which a shell completes commands and flags',
  defaultCommand: 'serve',
})
for (const command of program.commands) nameCommandsOf(command)

const given = withCommand(process.argv.slice(2))
if (given[0] !== 'serve') ensureCertainEnd()
await program.parseAsync(given, { from: 'user' })

/**
 * Without a command, the arguments are those of `serve`. It is not commander's default command, which would take a
 * misspelt one as its argument.
 */
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
  const lines = text.replace(/^error: /, '').split('\n')
  const line = lines
    .map((one) => one.trim())
    .join(' ')
    .trim()
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
    warnOfUnknownVariables()
    const settings = await readSettings(command)
    // Imported here so that the other commands start quickly.
    const { serveUntilSignal } = await import('./run-server.ts')
    await serveUntilSignal(settings)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    process.stderr.write(`posrep-server: ${toVisible(error.message)}\n`)
    process.exit(2)
  }
}
