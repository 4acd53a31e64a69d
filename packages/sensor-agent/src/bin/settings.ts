/**
 * Defines and checks the options of the command line.
 * In: options and environment variables as text. Out: values, or a SettingError: one line on standard error and exit 2.
 * No message contains a value that may be a secret.
 */
import { accessSync, constants, readFileSync } from 'node:fs'
import { Option } from 'commander'
import { checkOrigin } from '../check-option.ts'
import { toReason } from '../errors.ts'

export class SettingError extends Error {
  override readonly name = 'SettingError'
}

interface ServiceOptions {
  ingest: string
  sensor: string
  ca?: string
}

export interface ClientOptions extends ServiceOptions {
  auth: string
  clientId: string
  clientSecret: string
}

export interface PairOptions extends ServiceOptions, PlayOptions {
  auth?: string
  tokens?: string
  timeoutSeconds?: string
}

export interface PlayOptions {
  speed: string
  loop?: boolean
  timeZone: string
}

const serviceOptions = () => [
  required('--ingest <url>', 'base address of the ingest, {base_url}', 'INGEST'),
  required('--sensor <id>', 'local ID of the sensor', 'SENSOR'),
  optional('--ca <file>', 'PEM file of a private CA to trust in addition to the public ones', 'CA'),
]

export const clientOptions = () => [
  ...serviceOptions(),
  required('--auth <url>', 'base address of the identity provider, {auth_url}', 'AUTH'),
  required('--client-id <id>', 'client ID', 'CLIENT_ID'),
  required('--client-secret <secret>', 'client secret; prefer the environment variable', 'CLIENT_SECRET'),
]

export const playOptions = () => [
  optional('--speed <factor>', 'playing speed; 2 plays twice as fast as recorded', 'SPEED').default('1'),
  optional('--loop', 'start again at the end', 'LOOP'),
  optional('--time-zone <zone>', "time zone of the recording's dates", 'TIME_ZONE').default('UTC'),
]

export const pairOptions = () => [
  ...serviceOptions(),
  optional('--auth <url>', 'base address of the identity provider (default: the issuer of the token)', 'AUTH'),
  optional('--tokens <file>', 'file that stores the tokens, so that a restart needs no new pairing', 'TOKENS'),
  optional('--timeout-seconds <n>', 'stop waiting for Pair after this time (default: never)', 'TIMEOUT_SECONDS'),
  ...playOptions(),
]

export function toOrigin(option: string, text: string): URL {
  const url = URL.parse(text)
  if (!url) throw new SettingError(`"${option}" must be a URL such as https://localhost:8443`)
  try {
    checkOrigin(option, url)
  } catch (cause) {
    throw new SettingError(toReason(cause), { cause })
  }
  return url
}

export function toText(option: string, text: string): string {
  if (text.trim() !== '') return text
  throw new SettingError(`"${option}" must not be empty`)
}

export function toNumber(option: string, text: string, min: number): number {
  const value = Number(text)
  if (text.trim() !== '' && value >= min && value < Number.POSITIVE_INFINITY) return value
  throw new SettingError(`"${option}" must be a number of ${min} or more, got "${text}"`)
}

export function toTimeZone(option: string, text: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return text
  } catch (cause) {
    throw new SettingError(`"${option}" must be a time zone such as UTC or Europe/Helsinki, got "${text}"`, { cause })
  }
}

/** Options of the network. */
export function readCa(file: string | undefined): { ca?: string } {
  if (file === undefined) return {}
  let pem: string
  try {
    pem = readFileSync(file, 'utf8')
  } catch (cause) {
    throw unreadable('--ca', cause)
  }
  if (pem.includes('-----BEGIN CERTIFICATE-----')) return { ca: pem }
  throw new SettingError(`"--ca" must be a PEM file with a certificate, "${file}" has none`)
}

export function checkReadable(option: string, file: string): string {
  try {
    accessSync(file, constants.R_OK)
    return file
  } catch (cause) {
    throw unreadable(option, cause)
  }
}

function unreadable(option: string, cause: unknown): SettingError {
  return new SettingError(`"${option}" cannot be read: ${toReason(cause)}`, { cause })
}

function required(flags: string, description: string, variable: string): Option {
  return optional(flags, description, variable).makeOptionMandatory()
}

function optional(flags: string, description: string, variable: string): Option {
  return new Option(flags, description).env(`POSREP_AGENT_${variable}`)
}
