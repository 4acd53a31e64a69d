/**
 * The two associations that the bench compares.
 * In: receptions in the order of their receipt. Out: the track of each; undefined if no track took it.
 */
import { createTracker, type Reception } from '@posrep/server/air'
import type { Heard } from './receivers.ts'

export function associateWithTracker(heard: readonly Heard[]): (string | undefined)[] {
  const tracker = createTracker()
  const mergedInto = new Map<string, string>()
  let tickMs = 0
  const tracks = heard.map(({ reception }) => {
    const secondMs = Math.floor(reception.receivedAtMs / 1_000) * 1_000
    if (secondMs > tickMs) {
      tickMs = secondMs
      tracker.advance(tickMs)
      for (const { id, mergedInto: other } of tracker.takeChanges().ended) if (other) mergedInto.set(id, other)
    }
    return tracker.observe(reception)
  })
  return tracks.map((id) => {
    let last = id
    for (let next = last && mergedInto.get(last); next !== undefined; next = mergedInto.get(next)) last = next
    return last
  })
}

interface Known {
  track: string
  reception: Reception
  address?: string
}

/** The nearest track within this distance, by its latest position. */
const nearMetres = 1_000
const nearMs = 20_000
const nearHeightMetres = 200
const metresPerDegree = 111_195

/** Baseline: the same identifiers and ids of sensors, then the nearest neighbour, without statistics. */
export function associateWithNearestNeighbour(heard: readonly Heard[]): (string | undefined)[] {
  const tracks = new Map<string, Known>()
  const byAddress = new Map<string, string>()
  const bySource = new Map<string, string>()
  return heard.map(({ reception }) => {
    const { position, deviceUrn } = reception
    const address = position.target.identifiers.find(({ kind }) => kind === 'ICAO')?.id
    const source = position.target.sourceId && `${deviceUrn} ${position.target.sourceId}`
    const track =
      (address && byAddress.get(address)) ??
      (source && bySource.get(source)) ??
      findNearest(tracks.values(), reception, address)?.track ??
      `${tracks.size + 1}`
    const known = tracks.get(track)
    const knownAddress = known?.address ?? address
    tracks.set(track, { track, reception, ...(knownAddress && { address: knownAddress }) })
    if (address) byAddress.set(address, track)
    if (source) bySource.set(source, track)
    return track
  })
}

function findNearest(tracks: Iterable<Known>, { position }: Reception, address?: string): Known | undefined {
  let nearest: Known | undefined
  let least = nearMetres
  for (const known of tracks) {
    const other = known.reception.position
    const elapsedMs = position.timeMs - other.timeMs
    if (Math.abs(elapsedMs) > nearMs || (address && known.address && known.address !== address)) continue
    const metres = distanceMetres(other, position, elapsedMs / 1_000)
    if (metres < least && isNearInHeight(other, position)) {
      least = metres
      nearest = known
    }
  }
  return nearest
}

type Position = Reception['position']

/** From the earlier position, carried on with its velocity. */
function distanceMetres(from: Position, to: Position, seconds: number): number {
  const cosLat = Math.cos(from.latDegrees * (Math.PI / 180))
  const { eastMetresPerSecond = 0, northMetresPerSecond = 0 } = from.groundVelocity ?? {}
  const east = (to.lonDegrees - from.lonDegrees) * metresPerDegree * cosLat - eastMetresPerSecond * seconds
  const north = (to.latDegrees - from.latDegrees) * metresPerDegree - northMetresPerSecond * seconds
  return Math.hypot(east, north)
}

function isNearInHeight(a: Position, b: Position): boolean {
  const [one] = a.altitudes
  const other = b.altitudes.find(({ datum }) => datum === one?.datum)
  return !one || !other || Math.abs(one.heightMetres - other.heightMetres) < nearHeightMetres
}
