/**
 * Checks settings. In: text. Out: values, or a SettingError that quotes the flag, what is allowed and, unless it may be
 * secret, the value.
 */
import { accessSync, constants, readFileSync } from 'node:fs'
import { checkOrigin } from '../../check-option.ts'
import { toReason } from '../../errors.ts'
import { SettingError } from '../exit-codes.ts'

export type Settings = Record<string, string | boolean | undefined>

export function findText(settings: Settings, name: string): string | undefined {
  const text = settings[name]
  if (text === undefined || typeof text === 'boolean') return undefined
  if (text.trim() === '') throw new SettingError(`"${toFlag(name)}" must not be empty`)
  return text
}

export function getText(settings: Settings, name: string): string {
  const text = findText(settings, name)
  if (text !== undefined) return text
  const variable = toFlag(name).slice(2).replaceAll('-', '_').toUpperCase()
  throw new SettingError(
    `"${toFlag(name)}" is required: give the flag, the variable POSREP_AGENT_${variable}, or "${name}" in the --config file`,
  )
}

export function isSet(settings: Settings, name: string): boolean {
  return settings[name] === true
}

export function findOrigin(settings: Settings, name: string): URL | undefined {
  const text = findText(settings, name)
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (!url) throw new SettingError(`"${toFlag(name)}" must be a URL such as https://localhost:8443`)
  try {
    checkOrigin(toFlag(name), url)
  } catch (cause) {
    throw new SettingError(toReason(cause), { cause })
  }
  return url
}

export function getOrigin(settings: Settings, name: string): URL {
  getText(settings, name)
  // It was just found to be there.
  return findOrigin(settings, name) as URL
}

export function findNumber(
  settings: Settings,
  name: string,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const text = findText(settings, name)
  if (text === undefined) return undefined
  const value = Number(text)
  if (value >= min && value <= max) return value
  const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min}-${max}`
  throw new SettingError(`"${toFlag(name)}" must be a number of ${range}, got "${text}"`)
}

export function findOneOf<T extends string>(settings: Settings, name: string, allowed: readonly T[]): T | undefined {
  const text = findText(settings, name)
  const found = allowed.find((one) => one === text)
  if (text === undefined || found !== undefined) return found
  throw new SettingError(`"${toFlag(name)}" must be ${allowed.join(' or ')}, got "${text}"`)
}

/** `8095`, `0.0.0.0:8095`, `[::1]:8095`. */
export function findAddress(settings: Settings, name: string): { host: string; port: number } | undefined {
  const text = findText(settings, name)
  if (text === undefined) return undefined
  const [, host = '127.0.0.1', port] = /^(?:(?:tcp:\/\/)?(.+):)?(\d{1,5})$/.exec(text) ?? []
  if (port === undefined || Number(port) > 65_535) {
    throw new SettingError(`"${toFlag(name)}" must be a port or host:port, got "${text}"`)
  }
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}

export function findTimeZone(settings: Settings): string | undefined {
  const text = findText(settings, 'timeZone')
  try {
    if (text !== undefined) new Intl.DateTimeFormat('en', { timeZone: text })
    return text
  } catch (cause) {
    throw new SettingError(`"--time-zone" must be a time zone such as UTC or Europe/Helsinki, got "${text}"`, { cause })
  }
}

export function findCa(settings: Settings): string | undefined {
  const file = findText(settings, 'ca')
  if (file === undefined) return undefined
  let pem: string
  try {
    pem = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new SettingError(`"--ca" cannot be read: ${toReason(cause)}`, { cause })
  }
  if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem
  throw new SettingError(`"--ca" must be a PEM file with a certificate, "${file}" has none`)
}

export function findReadable(settings: Settings, name: string): string | undefined {
  const file = findText(settings, name)
  try {
    if (file !== undefined) accessSync(file, constants.R_OK)
    return file
  } catch (cause) {
    throw new SettingError(`"${toFlag(name)}" cannot be read: ${toReason(cause)}`, { cause })
  }
}

export function toFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
