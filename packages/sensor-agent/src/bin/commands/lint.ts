/** `posrep-agent lint FILE`: checks positions without sending them. */
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { toReason } from '../../errors.ts'
import type { CommandDefinition } from '../command.ts'
import { exitCodes, SettingError } from '../exit-codes.ts'
import { type Finding, lintText } from '../lint/lint-positions.ts'
import { optionsOf } from '../settings/options.ts'

const maxShown = 50

export const lintCommand: CommandDefinition = {
  name: 'lint',
  description: 'check a file with a report, with positions or of a receiver, and name likely mistakes',
  options: optionsOf.lint,
  examples: ['posrep-agent lint report.json'],
  argument: ['<file>', 'JSON, NDJSON or SBS lines, plain or gzip'],
  async run({ argument = '', output }) {
    const { positions, findings, isOfReceiver = false } = lintText(await readText(argument))
    const errors = findings.filter(({ severity }) => severity === 'error').length
    const shown = findings.slice(0, maxShown).map(toLine)
    if (findings.length > maxShown) shown.push(`… and ${findings.length - maxShown} more`)
    const kind = isOfReceiver ? ' of a receiver, which the agent converts' : ''
    const summary = `${positions} positions${kind}, ${errors} errors, ${findings.length - errors} warnings`
    output.result([...shown, summary].join('\n'), { positions, errors, warnings: findings.length - errors, findings })
    return errors > 0 ? exitCodes.incomplete : exitCodes.ok
  },
}

async function readText(file: string): Promise<string> {
  try {
    const bytes = await readFile(file)
    return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8')
  } catch (cause) {
    throw new SettingError(`"${file}" cannot be read: ${toReason(cause)}`, { cause })
  }
}

function toLine({ severity, line, path, message }: Finding): string {
  const where = [line === undefined ? '' : `line ${line}`, path].filter((part) => part !== '').join(', ')
  return `${severity}: ${where === '' ? '' : `${where}: `}${message}`
}
