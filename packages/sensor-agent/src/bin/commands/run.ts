/** `posrep-agent run`: reports the positions of the sources until they end, or for ever. */
import type { CommandDefinition } from '../command.ts'
import { connect } from '../connect/service.ts'
import { SettingError } from '../exit-codes.ts'
import { createMonitor } from '../run/monitor.ts'
import { runAgent } from '../run/run-agent.ts'
import { optionsOf } from '../settings/options.ts'
import { findPasswordWarning, readSources, sourceFlags } from '../settings/sources.ts'

export const runCommand: CommandDefinition = {
  name: 'run',
  description: 'report positions until the sources end, or for ever; a sensor that is not paired waits for Pair',
  options: optionsOf.run,
  examples: [
    'posrep-agent run --config agent.json --simulate circles',
    'posrep-agent run --config agent.json --readsb /run/readsb/aircraft.json',
  ],
  async run({ settings, output }) {
    let told = ''
    const service = connect(settings, {
      onPending(reason) {
        // The usual answer while nobody has pressed Pair; that Pair is waited for was told at the start.
        const isUsual = reason.includes(' answered 404') && !reason.includes(' check ')
        const message = `it cannot be paired: ${reason}`
        monitor.unpairable(isUsual ? undefined : message)
        if (reason !== told && !isUsual) output.event('not_paired', message)
        told = reason
      },
    })
    const monitor = createMonitor(service.sensor)
    const sources = readSources(settings)
    if (sources.length === 0) throw new SettingError(`there is no source: give ${sourceFlags}`)
    const warning = findPasswordWarning(settings)
    if (warning !== undefined) output.event('warning', warning)
    return runAgent(settings, service, sources, monitor, output)
  },
}
