/** The identifiers of a track by kind, as the tracker writes the kinds. In: a track. Out: the first of each kind. */
import type { AirTrack } from '@posrep/spec'
import { findName } from '../track/target-name.ts'
import { toPlainCallSign, toPlainName, toPlainRegistration } from './plain-text.ts'

const icaoAddress = /^[0-9A-F]{6}$/

/** In upper case. */
export function findIcaoAddress(track: AirTrack): string | undefined {
  const id = find(track, 'ICAO')
  return id !== undefined && icaoAddress.test(id) ? id : undefined
}

export function findCallSign(track: AirTrack): string | undefined {
  return toPlainCallSign(find(track, 'CallSign'))
}

/** A drone without a registration has its serial number there: readers of the format have no other member for it. */
export function findRegistration(track: AirTrack): string | undefined {
  return toPlainRegistration(find(track, 'Registration')) ?? toPlainRegistration(find(track, 'SerialNumber'))
}

/** What readers show as the name of the target, without what they might run. */
export function toPlainTrackName({ id, identifiers }: AirTrack): string {
  const plain = identifiers.filter((one) => toPlainName(one.id) !== undefined)
  return findName(plain, ({ type }) => type) ?? id
}

function find({ identifiers }: AirTrack, kind: string): string | undefined {
  return identifiers.find(({ type }) => type === kind)?.id
}
