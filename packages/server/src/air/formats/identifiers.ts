/** The identifiers of a track by kind, as the tracker writes the kinds. In: a track. Out: the first of each kind. */
import type { AirTrack } from '@posrep/spec'

const icaoAddress = /^[0-9A-F]{6}$/

/** In upper case. */
export function findIcaoAddress(track: AirTrack): string | undefined {
  const id = find(track, 'ICAO')
  return id !== undefined && icaoAddress.test(id) ? id : undefined
}

export function findCallSign(track: AirTrack): string | undefined {
  return find(track, 'CallSign')
}

export function findRegistration(track: AirTrack): string | undefined {
  return find(track, 'Registration')
}

function find({ identifiers }: AirTrack, kind: string): string | undefined {
  return identifiers.find(({ type }) => type === kind)?.id
}
