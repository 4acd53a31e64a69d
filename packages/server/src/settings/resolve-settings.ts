/**
 * Resolves the settings. Each can be given as a flag, as a POSREP_… variable or as a key of the configuration file.
 * In: flags, environment and file; flags take precedence over the environment, the environment over the file.
 * Out: validated settings, or a SettingsError with the name of the setting, the allowed values and the given value.
 */
import { SettingsError } from '../errors.ts'
import { allRoles } from './roles.ts'
import { type Setting, toFlag, toName, toVariable } from './setting.ts'
import { type Settings, settingTable } from './setting-table.ts'

/** Values by name of the flag. The value of a switch is `true`. */
export type GivenSettings = Record<string, string | boolean>

export interface SettingSources {
  flags: GivenSettings
  environment: Record<string, string | undefined>
  /** The content of `--config`. Keys are names of flags: `data-dir` or `dataDir`. */
  file?: Record<string, unknown>
}

/**
 * @throws SettingsError
 *
 * @example
 * ```ts
 * import { resolveSettings } from '@posrep/server'
 *
 * export const settings = resolveSettings({ flags: { 'data-dir': 'data' }, environment: process.env })
 * ```
 */
export function resolveSettings({ flags, environment, file = {} }: SettingSources): Settings {
  checkFileKeys(file)
  const entries = Object.entries<Setting<unknown>>(settingTable).map(([key, setting]) => {
    const name = toName(key)
    const given = firstGiven(
      [toFlag(key), flags[name]],
      [toVariable(key), environment[toVariable(key)]],
      [`"${name}" in the configuration file`, file[name] ?? file[key] ?? undefined],
    )
    return [key, given ? readSetting(setting, ...given) : setting.default]
  })
  // Each value was parsed by the row of its key.
  const settings = Object.fromEntries(entries) as Settings
  checkTogether(settings)
  return settings
}

/**
 * Warns of secrets that are arguments: everybody on the machine can read them in the list of processes.
 * In: the flags of the command line. Out: a sentence for each, with the variable to use instead.
 */
export function warningsOf(flags: GivenSettings): string[] {
  return Object.entries<Setting<unknown>>(settingTable)
    .filter(([key, { secret = () => false }]) => secret(String(flags[toName(key)] ?? '')))
    .map(
      ([key]) =>
        `${toFlag(key)} shows its secret to everybody who can list the processes of this machine; give it as ${toVariable(key)} or in --config`,
    )
}

/**
 * Names the `POSREP_…` variables that are no settings, such as misspelt ones. Those of the agent are not meant for the
 * server.
 */
export function findUnknownVariables(environment: SettingSources['environment']): string[] {
  const known = new Set(['POSREP_CONFIG', ...Object.keys(settingTable).map(toVariable)])
  return Object.keys(environment).filter((name) => /^POSREP_(?!AGENT_)/.test(name) && !known.has(name))
}

function firstGiven(...candidates: [string, unknown][]): [string, unknown] | undefined {
  return candidates.find(([, value]) => value !== undefined)
}

function readSetting(setting: Setting<unknown>, where: string, value: unknown): unknown {
  const given = Array.isArray(value) ? value.join(',') : String(value)
  try {
    return setting.read(given)
  } catch (error) {
    const got = setting.secret ? '' : `, got "${given}"`
    throw new SettingsError(`${where} ${error instanceof Error ? error.message : error}${got}`, { cause: error })
  }
}

function checkFileKeys(file: Record<string, unknown>): void {
  const known = new Set(Object.keys(settingTable).flatMap((key) => [key, toName(key)]))
  const unknown = Object.keys(file).find((key) => !known.has(key))
  if (unknown !== undefined)
    throw new SettingsError(`"${unknown}" in the configuration file is not a setting; see posrep-server serve --help`)
}

function checkTogether(settings: Settings): void {
  const { host, demo, insecureHttp, tlsCert, tlsKey } = settings
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw new SettingsError(
      '--tls-cert and --tls-key must be given together; give neither to use a development certificate',
    )
  }
  if (settings.air === 'off' && settings.airCot.length > 0) {
    throw new SettingsError('--air-cot sends the air picture, which --air off switches off; give one of them only')
  }
  if (demo && !isLoopbackHost(host)) {
    throw new SettingsError(`--demo has public passwords and runs on loopback only, got --host "${host}"`)
  }
  const { authOrigin, ingestOrigin, uiOrigin } = settings
  const origins = { '--auth-origin': authOrigin, '--ingest-origin': ingestOrigin, '--ui-origin': uiOrigin }
  for (const [flag, origin] of Object.entries(origins)) {
    if (demo && origin !== undefined && !isLoopbackHost(new URL(origin).hostname.replace(/^\[|\]$/g, ''))) {
      throw new SettingsError(`--demo has public passwords and needs origins on loopback, got ${flag} "${origin}"`)
    }
  }
  const isWhole = settings.roles.length === allRoles.length
  if (!isWhole && settings.redis === undefined) {
    throw new SettingsError(
      `--roles needs --redis, so that other processes can have the other roles, got "${settings.roles.join(',')}"`,
    )
  }
  if (demo && !isWhole) {
    throw new SettingsError(`--demo needs every role: leave --roles out, got "${settings.roles.join(',')}"`)
  }
  const publicOrigins = Object.values(origins)
  const plain = publicOrigins.find((origin) => origin?.startsWith('http:'))
  if (plain !== undefined && !insecureHttp) {
    throw new SettingsError(`A public origin must be https, except with --insecure-http, got "${plain}"`)
  }
  const proxied = publicOrigins.every((origin) => origin?.startsWith('https:'))
  if (insecureHttp && !proxied && !isLoopbackHost(host)) {
    throw new SettingsError(
      '--insecure-http needs --auth-origin, --ingest-origin and --ui-origin to be https, or --host to be loopback',
    )
  }
}

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}
