/** Declares settings as options of a command, and reads them from flags, environment and configuration file. */
import { readFile } from 'node:fs/promises'
import { toVisible } from '@posrep/kernel/visible'
import { type Command, Option } from 'commander'
import { SettingsError } from '../errors.ts'
import { findUnknownVariables, type GivenSettings, resolveSettings, warningsOf } from '../settings/resolve-settings.ts'
import { type Setting, toFlag, toName, toShownDefault, toVariable } from '../settings/setting.ts'
import { type Settings, settingGroups, settingTable } from '../settings/setting-table.ts'

export function addSettings(command: Command, keys: readonly (keyof Settings)[]): Command {
  for (const key of keys) command.addOption(toOption(key, settingTable[key]))
  return command.addOption(toConfigOption())
}

/** The help shows them in their groups. */
export function addAllSettings(command: Command): Command {
  for (const [title, settings] of Object.entries(settingGroups)) {
    for (const [key, setting] of Object.entries(settings)) {
      command.addOption(toOption(key, setting).helpGroup(`${title}:`))
    }
  }
  return command.addOption(toConfigOption())
}

function toConfigOption(): Option {
  return new Option('--config <FILE>', 'JSON file of settings; its keys are flags without "--"')
}

/** @throws SettingsError */
export async function readSettings(command: Command): Promise<Settings> {
  const flags = givenFlags(command)
  warn(warningsOf(flags))
  const settings = resolveSettings({
    flags,
    environment: process.env,
    file: await readConfig(command.getOptionValue('config') ?? process.env.POSREP_CONFIG),
  })
  // SQLite reads this variable when it is first used. Its temporary files go where the database has room.
  process.env.SQLITE_TMPDIR ??= settings.dataDir
  return settings
}

export function warnOfUnknownVariables(): void {
  const names = findUnknownVariables(process.env)
  warn(names.map((name) => `${name} is not a setting, and is ignored; posrep-server serve --help lists them`))
}

function warn(sentences: string[]): void {
  for (const sentence of sentences) process.stderr.write(`posrep-server: warning: ${toVisible(sentence)}\n`)
}

function toOption(key: string, setting: Setting<unknown>): Option {
  const { unit, sentence } = setting
  const shown = toShownDefault(setting)
  const flag = unit === undefined ? toFlag(key) : `${toFlag(key)} <${unit}>`
  const help = `${toPlain(sentence)}${shown === undefined ? '' : ` (default: ${shown})`} [${toVariable(key)}]`
  return new Option(flag, help)
}

/**
 * Markdown as plain text: without the marks of code, and of links only what is underlined. "(below)" is nothing in a
 * terminal.
 */
function toPlain(markdown: string): string {
  return markdown
    .replaceAll(/ \(\[[^[\]]*\]\([^()]*\)\)/g, '')
    .replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll('`', '')
}

function givenFlags(command: Command): GivenSettings {
  const names = new Set(Object.keys(settingTable).map(toName))
  return Object.fromEntries(
    command.options.flatMap((option) => {
      const name = option.long?.slice(2) ?? ''
      const value = command.getOptionValue(option.attributeName())
      return value === undefined || !names.has(name) ? [] : [[name, value]]
    }),
  )
}

async function readConfig(file: unknown): Promise<Record<string, unknown>> {
  if (typeof file !== 'string') return {}
  try {
    const config: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (typeof config === 'object' && config !== null && !Array.isArray(config)) return { ...config }
  } catch (cause) {
    throw new SettingsError(`--config "${file}" cannot be read: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
  throw new SettingsError(`--config "${file}" must contain one JSON object`)
}
