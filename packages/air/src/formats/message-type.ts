/**
 * Which messages a track is made of, in the words of readsb.
 * In: a track, with what its sensors say of their positions. Out: the best of those of the last half minute.
 */
import type { AirTrack } from '@posrep/spec'

interface MessageType {
  /** How sensors write it: as readsb, or as the field does. */
  said: RegExp
  withIcaoAddress: string
  withoutIcaoAddress: string
}

/** The preferred one first, as in README-json.md. */
const messageTypes: readonly MessageType[] = [
  { said: /^ads-?b(?!_icao_nt$)/i, withIcaoAddress: 'adsb_icao', withoutIcaoAddress: 'adsb_other' },
  { said: /^adsb_icao_nt$/i, withIcaoAddress: 'adsb_icao_nt', withoutIcaoAddress: 'adsb_other' },
  { said: /^ads-?r/i, withIcaoAddress: 'adsr_icao', withoutIcaoAddress: 'adsr_other' },
  { said: /^tis-?b(?!_trackfile)/i, withIcaoAddress: 'tisb_icao', withoutIcaoAddress: 'tisb_other' },
  { said: /^tisb_trackfile/i, withIcaoAddress: 'tisb_icao', withoutIcaoAddress: 'tisb_trackfile' },
  { said: /^ads-?c/i, withIcaoAddress: 'adsc', withoutIcaoAddress: 'adsc' },
  { said: /^mlat/i, withIcaoAddress: 'mlat', withoutIcaoAddress: 'mlat' },
  { said: /^mode[-_ ]?s/i, withIcaoAddress: 'mode_s', withoutIcaoAddress: 'mode_s' },
]

const recentMs = 30_000

/** `other` unless a sensor says it: a radar knows ICAO addresses, too. */
export function toMessageType({ sensors, receivedAt }: AirTrack, hasIcaoAddress: boolean): string {
  const sinceMs = Date.parse(receivedAt) - recentMs
  const recent = sensors.filter(({ lastSeen }) => Date.parse(lastSeen) >= sinceMs)
  const best = messageTypes.find(({ said }) => recent.some(({ positionSource = '' }) => said.test(positionSource)))
  if (!best) return 'other'
  return hasIcaoAddress ? best.withIcaoAddress : best.withoutIcaoAddress
}
