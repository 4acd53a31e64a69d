/** `posrep-agent run`: reports the positions of the sources until they end, or for ever. */
import { access } from 'node:fs/promises'
import type { CommandDefinition } from '../command.ts'
import { portalUrl } from '../connect/portal-url.ts'
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
    const service = connect(settings)
    const sources = readSources(settings)
    if (sources.length === 0) throw new SettingError(`there is no source: give ${sourceFlags}`)
    if (service.pairing && !(await isPaired(service.state.identity))) {
      output.event(
        'not_paired',
        `sensor "${service.sensor}" is not paired: press Pair at ${portalUrl(settings, service)}`,
      )
    }
    return runAgent(settings, service, sources, output)
  },
}

async function isPaired(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
