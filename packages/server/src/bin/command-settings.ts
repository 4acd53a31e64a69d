/** Declares settings as options of a command, and reads them from flags, environment and configuration file. */
import { readFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { SettingsError } from '../errors.ts'
import { type GivenSettings, resolveSettings, toVariable } from '../settings/resolve-settings.ts'
import type { Setting } from '../settings/setting.ts'
import { type Settings, settingGroups, settingTable } from '../settings/setting-table.ts'

const allSettings = Object.values<Setting<unknown>>(settingTable)

export function addSettings(command: Command, names: ReadonlySet<string>): Command {
  for (const setting of allSettings) if (names.has(setting.name)) command.addOption(toOption(setting))
  return command.addOption(toConfigOption())
}

/** The help shows them in their groups. */
export function addAllSettings(command: Command): Command {
  for (const [title, settings] of Object.entries(settingGroups)) {
    for (const setting of Object.values(settings)) command.addOption(toOption(setting).helpGroup(`${title}:`))
  }
  return command.addOption(toConfigOption())
}

function toConfigOption(): Option {
  return new Option('--config <FILE>', 'JSON file of settings; its keys are flags without "--"')
}

/** @throws SettingsError */
export async function readSettings(command: Command): Promise<Settings> {
  const settings = resolveSettings({
    flags: givenFlags(command),
    environment: process.env,
    file: await readConfig(command.getOptionValue('config') ?? process.env.POSREP_CONFIG),
  })
  // SQLite reads this variable when it is first used. Its temporary files go where the database has room.
  process.env.SQLITE_TMPDIR ??= settings.dataDir
  return settings
}

function toOption({ name, value, help, default: byDefault, shownDefault }: Setting<unknown>): Option {
  const shown =
    byDefault === undefined || byDefault === false || String(byDefault) === ''
      ? ''
      : ` (default: ${shownDefault ?? byDefault})`
  return new Option(`--${name}${value === undefined ? '' : ` <${value}>`}`, `${help}${shown} [${toVariable(name)}]`)
}

function givenFlags(command: Command): GivenSettings {
  const names = new Set(allSettings.map(({ name }) => name))
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
