/** `posrep-agent config check`: whether the settings are right, without connecting to anything. */

import type { CommandDefinition } from '../command.ts'
import { connect } from '../connect/service.ts'
import { exitCodes, SettingError } from '../exit-codes.ts'
import { checkStatus } from '../run/status-server.ts'
import { optionsOf } from '../settings/options.ts'
import { findNumber, findOneOf, findOrigin } from '../settings/read.ts'
import { findPasswordWarning, readSources, showAddress, sourceFlags } from '../settings/sources.ts'

const secrets = ['clientSecret', 'httpToken', 'readsbLogin']

export const configCommand: CommandDefinition = {
  name: 'config',
  description: 'check the settings',
  commands: [
    {
      name: 'check',
      description: 'check the flags, the environment and the settings file, and show the result without secrets',
      options: optionsOf.config,
      async run({ settings, output }) {
        connect(settings)
        findOrigin(settings, 'ui')
        const sources = readSources(settings)
        if (sources.length === 0) throw new SettingError(`there is no source: give ${sourceFlags}`)
        findNumber(settings, 'spoolMegabytes', 1)
        findOneOf(settings, 'durability', ['file', 'memory-first'])
        findOneOf(settings, 'whenFull', ['oldest', 'thin-per-target'])
        checkStatus(settings)
        const shown = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, toShown(name, value)]))
        const warning = findPasswordWarning(settings)
        if (warning !== undefined) output.event('warning', warning)
        const text = Object.entries(shown).map(([name, value]) => `${name}: ${value}`)
        output.result(['the settings are right', ...text].join('\n'), { settings: shown })
        return exitCodes.ok
      },
    },
  ],
}

function toShown(name: string, value: string | boolean | undefined): string | boolean | undefined {
  if (secrets.includes(name)) return '(set)'
  return name === 'readsb' && typeof value === 'string' ? showAddress(value).shown : value
}
