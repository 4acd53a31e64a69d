/**
 * `posrep-agent identity export|import|reset`: moves the identity of a paired sensor to another machine, or forgets it.
 * An identity belongs to one machine: two that use it end each other's tokens.
 */
import { AgentError } from '../../errors.ts'
import { fileTokenStore } from '../../tokens/file-token-store.ts'
import type { CommandCall, CommandDefinition } from '../command.ts'
import { makeFolder } from '../connect/service.ts'
import { toStateFolder } from '../connect/state-folder.ts'
import { CommandError, exitCodes } from '../exit-codes.ts'
import { optionsOf } from '../settings/options.ts'
import { isSet } from '../settings/read.ts'

const file: [string, string] = ['<file>', 'file that has the identity; it holds a secret']

export const identityCommand: CommandDefinition = {
  name: 'identity',
  description: 'move the identity of a paired sensor to another machine, or forget it',
  commands: [
    {
      name: 'export',
      description: 'write the identity to a file; stop the agent here before another machine uses it',
      options: optionsOf.identity,
      argument: file,
      async run(call) {
        const tokens = await fileTokenStore(toStateFolder(call.settings).identity, adopting(call)).read()
        if (!tokens) throw notPaired()
        await fileTokenStore(call.argument ?? '').write(tokens)
        call.output.result(`exported the identity of ${tokens.sensorId}; import it elsewhere with --adopt`, {
          sensorId: tokens.sensorId,
          file: call.argument,
        })
        return exitCodes.ok
      },
    },
    {
      name: 'import',
      description: 'take the identity from a file; --adopt if it was exported on another machine',
      options: optionsOf.identity,
      argument: file,
      async run(call) {
        const tokens = await fileTokenStore(call.argument ?? '', adopting(call))
          .read()
          .catch(refuseOther)
        if (!tokens) throw new CommandError('no_identity', `"${call.argument}" does not exist`, exitCodes.usage)
        const state = toStateFolder(call.settings)
        makeFolder(state.folder)
        const store = fileTokenStore(state.identity, { adopt: true })
        // A running agent does not refresh the tokens meanwhile.
        await store.lock(async () => {
          const present = await store.read().catch(ignoreDamaged)
          if (present && present.sensorId !== tokens.sensorId) throw alreadyPaired(present.sensorId)
          await store.write(tokens)
        })
        call.output.result(`this machine is now ${tokens.sensorId}`, { sensorId: tokens.sensorId })
        return exitCodes.ok
      },
    },
    {
      name: 'reset',
      description: 'forget the identity; the sensor must be paired again',
      options: optionsOf.identity,
      async run(call) {
        const { folder, identity } = toStateFolder(call.settings)
        makeFolder(folder)
        const store = fileTokenStore(identity)
        await store.lock(() => store.clear())
        call.output.result('the identity is gone; run posrep-agent pair', { identity: null })
        return exitCodes.ok
      },
    },
  ],
}

function adopting({ settings }: CommandCall): { adopt: boolean } {
  return { adopt: isSet(settings, 'adopt') }
}

/** The file is what the user named, so the advice to pair again would be wrong. */
function refuseOther(error: unknown): never {
  if (!(error instanceof AgentError) || error.code !== 'identity_damaged') throw error
  const message = 'The file does not contain an identity; give one that posrep-agent identity export wrote'
  throw new CommandError('no_identity', message, exitCodes.usage, { cause: error })
}

function ignoreDamaged(error: unknown): undefined {
  if (!(error instanceof AgentError)) throw error
}

function alreadyPaired(sensorId: string): CommandError {
  const message = `This machine is ${sensorId} already; run posrep-agent identity reset first, which forgets that identity`
  return new CommandError('already_paired', message, exitCodes.usage)
}

function notPaired(): CommandError {
  return new CommandError('not_paired', 'There is no identity here; run posrep-agent pair', exitCodes.identity)
}
