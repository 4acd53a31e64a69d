/** The sources that the settings name. In: settings. Out: sources, at least one, that can run beside each other. */
import { fstatSync } from 'node:fs'
import { isLoopback } from '../../check-option.ts'
import { toReason } from '../../errors.ts'
import { findAddress as findHttpAddress } from '../../sources/adsb/aircraft-json-address.ts'
import { aircraftJsonSource } from '../../sources/adsb/aircraft-json-source.ts'
import { sbsSource } from '../../sources/adsb/sbs-source.ts'
import { jsonLinesSource } from '../../sources/lines/json-lines-source.ts'
import { httpSource } from '../../sources/push/http-source.ts'
import { udpSource } from '../../sources/push/udp-source.ts'
import { replaySource } from '../../sources/recording/replay-source.ts'
import { remoteIdSource } from '../../sources/remote-id/remote-id-source.ts'
import { simulatorSource } from '../../sources/simulator/simulator-source.ts'
import type { Source } from '../../sources/source.ts'
import { SettingError } from '../exit-codes.ts'
import {
  findAddress,
  findNumber,
  findOneOf,
  findReadable,
  findText,
  findTimeZone,
  isSet,
  type Settings,
  toFlag,
} from './read.ts'

/** The sources that read a setting. */
const readersOf = {
  speed: ['replay'],
  loop: ['replay'],
  timeZone: ['replay', 'sbs'],
  targets: ['simulate'],
  httpToken: ['http'],
  takeoffHeight: ['remoteId'],
  readsbLogin: ['readsb'],
  interval: ['readsb'],
}

export const sourceFlags = '--readsb, --sbs, --stdin, --remote-id, --replay, --http, --udp or --simulate'

/** @throws SettingError for a wrong setting. */
export function readSources(settings: Settings): Source[] {
  checkNothingIsUnused(settings)
  try {
    return [...readReceivers(settings), ...readInputs(settings), ...readOthers(settings)]
  } catch (error) {
    if (error instanceof SettingError) throw error
    throw new SettingError(toReason(error), { cause: error })
  }
}

/** A setting that nothing reads is a mistake, such as a missing `--replay` beside `--speed`. */
function checkNothingIsUnused(settings: Settings): void {
  for (const [name, readers] of Object.entries(readersOf)) {
    const isGiven = settings[name] !== undefined && settings[name] !== false
    if (!isGiven || readers.some((reader) => settings[reader] !== undefined && settings[reader] !== false)) continue
    const flags = readers.map((reader) => `"${toFlag(reader)}"`).join(' or ')
    throw new SettingError(`"${toFlag(name)}" is only for ${flags}; give that, too, or leave "${toFlag(name)}" out`)
  }
}

function readReceivers(settings: Settings): Source[] {
  const from = findText(settings, 'readsb')
  const login = findText(settings, 'readsbLogin')
  if (login !== undefined && !login.includes(':')) throw new SettingError('"--readsb-login" must be user:password')
  const seconds = findNumber(settings, 'interval', 0.1, 86_400)
  const sbs = findAddress(settings, 'sbs')
  const timeZone = findTimeZone(settings)
  return [
    ...(from === undefined
      ? []
      : [
          aircraftJsonSource({
            from,
            ...(login !== undefined && { login }),
            ...(seconds !== undefined && { pollMs: seconds * 1_000 }),
          }),
        ]),
    ...(sbs === undefined ? [] : [sbsSource({ ...toReceiver(sbs), ...(timeZone !== undefined && { timeZone }) })]),
  ]
}

function readInputs(settings: Settings): Source[] {
  const takeoffHeight = findOneOf(settings, 'takeoffHeight', ['info', 'agl'] as const)
  if (isSet(settings, 'stdin') && isSet(settings, 'remoteId')) {
    throw new SettingError('"--stdin" and "--remote-id" both read standard input; give one of them')
  }
  if (isSet(settings, 'stdin')) return [jsonLinesSource(process.stdin, { canWait: isFile(process.stdin.fd) })]
  if (isSet(settings, 'remoteId')) {
    const options = { canWait: isFile(process.stdin.fd), ...(takeoffHeight && { takeoffHeight }) }
    return [remoteIdSource(process.stdin, options)]
  }
  return []
}

/** A file can wait; a pipe, a socket or a device may have a live sensor at its other end. */
function isFile(descriptor: number): boolean {
  return fstatSync(descriptor).isFile()
}

function readOthers(settings: Settings): Source[] {
  const recording = findReadable(settings, 'replay')
  const [http, udp] = [findAddress(settings, 'http'), findAddress(settings, 'udp')]
  const token = findText(settings, 'httpToken')
  const pattern = findOneOf(settings, 'simulate', ['circles', 'encounters'] as const)
  const targets = findNumber(settings, 'targets', 1, 1_000) ?? 10
  const replay = {
    speed: findNumber(settings, 'speed', 0.001) ?? 1,
    loop: isSet(settings, 'loop'),
    timeZone: findTimeZone(settings) ?? 'UTC',
  }
  return [
    ...(recording === undefined ? [] : [replaySource(recording, replay)]),
    ...(http === undefined ? [] : [httpSource(toHttpOptions(http, token))]),
    ...(udp === undefined ? [] : [udpSource(udp)]),
    ...(pattern === undefined ? [] : [simulatorSource({ pattern, targets })]),
  ]
}

/** Port 0 is no port that a receiver can have. */
function toReceiver(address: { host: string; port: number }) {
  if (address.port === 0) throw new SettingError('"--sbs" must have a port of 1-65535, such as 127.0.0.1:30003, got 0')
  return address
}

function toHttpOptions(address: { host: string; port: number }, token: string | undefined) {
  if (token !== undefined) return { ...address, token }
  if (isLoopback(address.host)) return address
  throw new SettingError(
    `"--http-token" is required for "--http" on ${address.host}: anyone in the network could report positions`,
  )
}

/** The setting without its password and query, and whether it has a password. */
export function showAddress(from: string): { shown: string; hasPassword: boolean } {
  const address = findHttpAddress(from, undefined)
  return { shown: address?.shown ?? from, hasPassword: address?.headers.authorization !== undefined }
}

/** @returns A warning when the address has a password, which other users of this machine may see. */
export function findPasswordWarning(settings: Settings): string | undefined {
  const from = findText(settings, 'readsb')
  if (from === undefined || !showAddress(from).hasPassword) return undefined
  return 'other users of this machine may see the password in "--readsb"; give it as POSREP_AGENT_READSB_LOGIN, or as "readsbLogin" in the --config file'
}
