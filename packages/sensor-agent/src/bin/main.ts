/**
 * Parses the command line and runs the command.
 * In: the arguments. Out: the exit status; an error is one line on standard error, or one JSON object with `--json`.
 */
import { addCompletionCommand } from '@posrep/kernel/completion'
import { helpEnd, shapeHelp } from '@posrep/kernel/help'
import { Command, CommanderError } from 'commander'
import { configCommand } from './commands/config.ts'
import { doctorCommand } from './commands/doctor.ts'
import { identityCommand } from './commands/identity.ts'
import { installServiceCommand } from './commands/install-service.ts'
import { lintCommand } from './commands/lint.ts'
import { pairCommand } from './commands/pair.ts'
import { refusedCommand } from './commands/refused.ts'
import { runCommand } from './commands/run.ts'
import { statusCommand } from './commands/status.ts'
import { type ExitCode, exitCodes, toExitCode } from './exit-codes.ts'
import { createOutput } from './output.ts'
import { applySettings } from './settings/apply-settings.ts'
import { version } from './version.ts'

export async function main(args: readonly string[]): Promise<ExitCode> {
  const output = createOutput(args.includes('--json'))
  let code: ExitCode = exitCodes.ok
  const program = shapeHelp(new Command('posrep-agent'))
    .description(
      'Report the positions that a sensor sees. Every setting is a flag, a variable POSREP_AGENT_… and a key of the --config file.',
    )
    .version(version, '-V, --version')
    .configureOutput({ writeErr: () => undefined })
    .exitOverride()
    .hook('preAction', (_, command) => applySettings(command))
  for (const { name, description, options = [], examples = [], argument, run, commands } of [
    runCommand,
    pairCommand,
    statusCommand,
    doctorCommand,
    lintCommand,
    configCommand,
    identityCommand,
    refusedCommand,
    installServiceCommand,
  ]) {
    const parent = program.command(name).description(description).addHelpText('after', helpEnd({ examples }))
    for (const one of commands ?? [{ name, description, options, argument, run }]) {
      const command = one.name === name ? parent : parent.command(one.name).description(one.description)
      for (const option of one.options ?? []) command.addOption(option())
      if (one.argument) command.argument(...one.argument)
      command.action(async () => {
        code = (await one.run?.({ settings: command.opts(), argument: command.args[0], output })) ?? exitCodes.ok
      })
    }
  }
  addCompletionCommand(program, {
    description: 'print the script with which a shell completes commands and flags',
  })
  const examples = [
    'posrep-agent pair --ingest https://localhost:8443 --sensor radar2',
    'posrep-agent run --config agent.json --simulate circles',
  ]
  program.addHelpText('after', helpEnd({ examples }))

  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) {
      // Help and version were printed.
      if (error.exitCode === 0) return exitCodes.ok
      const { name, help } = findCommand(program, args)
      if (error.message !== '(outputHelp)') {
        const message = error.message.replace(/^error: /, '')
        const hint = message.includes('Did you mean') ? '' : `\n(see ${name} --help)`
        return output.failed('usage', `${message}${hint}`, exitCodes.usage)
      }
      return output.failed('usage', `${name} needs a command\n\n${help}`, exitCodes.usage)
    }
    return output.failed(...toExitCode(error))
  }
}

/** The command that the arguments name, as far as they name one. */
function findCommand(program: Command, args: readonly string[]): { name: string; help: string } {
  let found = program
  let name = program.name()
  for (const arg of args) {
    const next = found.commands.find((command) => command.name() === arg)
    if (!next) break
    found = next
    name = `${name} ${arg}`
  }
  return { name, help: found.helpInformation() }
}
