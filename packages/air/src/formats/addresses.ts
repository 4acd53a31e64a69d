/**
 * The address of each track, by which readers of readsb's format tell aircraft apart.
 * In: tracks. Out: for each an address that no other of them has: six hexadecimal digits in lower case, after `~` if
 * ICAO did not assign it.
 */
import type { AirTrack } from '@posrep/spec'
import { findIcaoAddress } from './identifiers.ts'

export function toAddresses(tracks: readonly AirTrack[]): Map<AirTrack, string> {
  const addresses = new Map(tracks.map((track) => [track, toOwnAddress(track)]))
  const own = new Set(addresses.values())
  for (const [address, track] of bySensorAddress(tracks)) {
    if (track && !own.has(address)) addresses.set(track, address)
  }
  for (const [address, track] of byIcaoAddress(tracks)) addresses.set(track, address.toLowerCase())
  return addresses
}

/**
 * If two tracks have the same ICAO address, which the alert `identityConflict` tells, it goes to the one with more
 * positions.
 */
function byIcaoAddress(tracks: readonly AirTrack[]): Map<string, AirTrack> {
  const owners = new Map<string, AirTrack>()
  for (const track of tracks) {
    const address = findIcaoAddress(track)
    if (address === undefined) continue
    const before = owners.get(address)
    if (!before || before.positions < track.positions) owners.set(address, track)
  }
  return owners
}

/** Receivers number such targets themselves, so that one address of two tracks says nothing: it has no owner. */
function bySensorAddress(tracks: readonly AirTrack[]): Map<string, AirTrack | undefined> {
  const owners = new Map<string, AirTrack | undefined>()
  for (const track of tracks) {
    const address = findSensorAddress(track)
    if (address !== undefined) owners.set(address, owners.has(address) ? undefined : track)
  }
  return owners
}

/**
 * An anonymous address, or that of a TIS-B target: the agent writes its six digits with the type `NonICAO`, readsb with
 * `~`.
 */
function findSensorAddress({ identifiers }: AirTrack): string | undefined {
  const found = identifiers.find(
    ({ id, type }) => /^~[0-9a-f]{6}$/i.test(id) || (type === 'NonICAO' && /^[0-9a-f]{6}$/i.test(id)),
  )
  return found && `~${found.id.replace('~', '').toLowerCase()}`
}

/** Track IDs are `t` and a number in base 36, so that 16 million consecutive tracks have different addresses. */
function toOwnAddress({ id }: AirTrack): string {
  const number = Number.parseInt(id.replace(/^t/, ''), 36)
  return `~${((Number.isFinite(number) ? number : 0) % 2 ** 24).toString(16).padStart(6, '0')}`
}
