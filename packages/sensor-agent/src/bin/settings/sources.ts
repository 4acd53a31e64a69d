/** The sources that the settings name. In: settings. Out: sources, at least one, that can run beside each other. */

import { toReason } from '../../errors.ts'
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
} from './read.ts'

export const sourceFlags = '--readsb, --sbs, --stdin, --remote-id, --replay, --http, --udp or --simulate'

/** @throws SettingError for a wrong setting. */
export function readSources(settings: Settings): Source[] {
  try {
    return [...readReceivers(settings), ...readInputs(settings), ...readOthers(settings)]
  } catch (error) {
    if (error instanceof SettingError) throw error
    throw new SettingError(toReason(error), { cause: error })
  }
}

function readReceivers(settings: Settings): Source[] {
  const from = findText(settings, 'readsb')
  const sbs = findAddress(settings, 'sbs')
  const timeZone = findTimeZone(settings)
  return [
    ...(from === undefined ? [] : [aircraftJsonSource({ from })]),
    ...(sbs === undefined ? [] : [sbsSource({ ...sbs, ...(timeZone !== undefined && { timeZone }) })]),
  ]
}

function readInputs(settings: Settings): Source[] {
  const takeoffHeight = findOneOf(settings, 'takeoffHeight', ['info', 'agl'] as const)
  if (isSet(settings, 'stdin') && isSet(settings, 'remoteId')) {
    throw new SettingError('"--stdin" and "--remote-id" both read standard input; give one of them')
  }
  if (isSet(settings, 'stdin')) return [jsonLinesSource(process.stdin)]
  if (isSet(settings, 'remoteId')) return [remoteIdSource(process.stdin, takeoffHeight && { takeoffHeight })]
  return []
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
    ...(http === undefined ? [] : [httpSource({ ...http, ...(token !== undefined && { token }) })]),
    ...(udp === undefined ? [] : [udpSource(udp)]),
    ...(pattern === undefined ? [] : [simulatorSource({ pattern, targets })]),
  ]
}
