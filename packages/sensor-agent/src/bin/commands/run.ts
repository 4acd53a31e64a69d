/** `posrep-agent run`: reports the positions of the sources until they end, or for ever. */
import type { CommandDefinition } from '../command.ts'
import { connect } from '../connect/service.ts'
import { SettingError } from '../exit-codes.ts'
import { runAgent } from '../run/run-agent.ts'
import { optionsOf } from '../settings/options.ts'
import { readSources, sourceFlags } from '../settings/sources.ts'

export const runCommand: CommandDefinition = {
  name: 'run',
  description: 'reports positions until the sources end, or for ever; a sensor that is not paired waits for Pair',
  options: optionsOf.run,
  async run({ settings, output }) {
    let told = ''
    const service = connect(settings, {
      onPending(reason) {
        // The usual answer while nobody has pressed Pair; that Pair is waited for was told at the start.
        if (reason !== told && !reason.includes(' answered 404'))
          output.event('not_paired', `it cannot be paired: ${reason}`)
        told = reason
      },
    })
    const sources = readSources(settings)
    if (sources.length === 0) throw new SettingError(`there is no source: give ${sourceFlags}`)
    return runAgent(settings, service, sources, output)
  },
}
