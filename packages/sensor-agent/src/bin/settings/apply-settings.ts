/**
 * Adds the settings of the file and the variables of flags without a value to those of the command line.
 * In: a command that was parsed. Out: its options, complete: flags win, then the environment, then the file.
 */
import { readFileSync } from 'node:fs'
import type { Command, Option } from 'commander'
import { toReason } from '../../errors.ts'
import { withoutByteOrderMark } from '../../sources/fields.ts'
import { SettingError } from '../exit-codes.ts'
import { options } from './options.ts'
import { suggest } from './suggest.ts'

export function applySettings(command: Command): void {
  for (const option of command.options.filter(({ required, optional }) => !required && !optional))
    applyVariable(command, option)
  const file: string | undefined = command.opts().config
  if (file === undefined) return
  for (const [key, value] of Object.entries(readFile(file))) {
    if (!(key in options) || key === 'config') {
      throw new SettingError(`"${key}" in "${file}" is not a setting${suggest(key, Object.keys(options))}`)
    }
    const option = command.options.find((option) => option.attributeName() === key)
    // A setting of another command.
    if (!option || command.getOptionValueSource(key) !== undefined) continue
    command.setOptionValueWithSource(key, toValue(option, key, value, file), 'config')
  }
}

function applyVariable(command: Command, option: Option): void {
  const name = option.attributeName()
  const variable = `POSREP_AGENT_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
  const text = process.env[variable]?.toLowerCase()
  if (text === undefined || text === '' || command.getOptionValueSource(name) !== undefined) return
  if (!['true', '1', 'yes', 'false', '0', 'no'].includes(text)) {
    throw new SettingError(`"${variable}" must be true or false, got "${text}"`)
  }
  command.setOptionValueWithSource(name, ['true', '1', 'yes'].includes(text), 'env')
}

function readFile(file: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(withoutByteOrderMark(readFileSync(file, 'utf8')))
  } catch (cause) {
    throw new SettingError(`"--config" cannot be read: ${toReason(cause)}`, { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SettingError(`"--config" must be a JSON object such as {"ingest": "https://…"}, see "${file}"`)
  }
  // A JSON object's members are unknown.
  return value as Record<string, unknown>
}

function toValue({ required }: Option, key: string, value: unknown, file: string): string | boolean {
  if (!required && typeof value === 'boolean') return value
  if (required && (typeof value === 'string' || typeof value === 'number')) return String(value)
  throw new SettingError(`"${key}" in "${file}" must be ${required ? 'text or a number' : 'true or false'}`)
}
