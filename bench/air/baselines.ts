/**
 * The baselines that the bench compares: pictures as one would make them without statistics. Both show the last report
 * of a track, carried on with its velocity: the reported one, else that between the last two positions.
 */
import type { PositionData } from '@posrep/spec'
import { offsetMetres } from './metrics/truth.ts'
import type { PictureMaker } from './run.ts'
import type { Sighting } from './sighting.ts'

interface Known {
  id: string
  address: string | undefined
  lastMs: number
  receivedAtMs: number
  data: PositionData
  velocity: readonly [east: number, north: number]
  positions: number
}

type Find = (tracks: Map<string, Known>, sighting: Sighting) => Known | undefined

/** Addresses and ids of sensors, then the nearest track within these limits. */
export const createNearestNeighbour = () =>
  createBaseline((tracks, one) => findNamed(tracks, one) ?? findNearest(tracks, one))

/**
 * Addresses and ids of sensors; without one of them a sensor's nearest track only, so that sensors are not correlated.
 */
export const createDeadReckoning = () =>
  createBaseline(
    (tracks, one) => findNamed(tracks, one) ?? (addressOf(one) ? undefined : findNearest(tracks, one, one.receiver)),
  )

const nearMetres = 1_000
const nearMs = 20_000
const nearHeightMetres = 200
const liveMs = 15_000
const positionsUntilShown = 3

function createBaseline(find: Find): PictureMaker {
  const tracks = new Map<string, Known>()
  let nowMs = 0
  let count = 0
  return {
    add(sighting) {
      const { receiver, data, receivedAtMs } = sighting
      const before = find(tracks, sighting)
      const lastMs = Date.parse(data.sourceTimeStamp)
      const id = before?.id ?? `${receiver} ${++count}`
      if (before && lastMs < before.lastMs) return id
      tracks.set(id, {
        id,
        address: addressOf(sighting) ?? before?.address,
        lastMs,
        receivedAtMs,
        data,
        velocity: velocityOf(data, before, lastMs),
        positions: (before?.positions ?? 0) + 1,
      })
      return id
    },
    advance(toMs) {
      nowMs = toMs
      for (const [id, { receivedAtMs }] of tracks) if (nowMs - receivedAtMs > 60_000) tracks.delete(id)
    },
    tracks: () =>
      [...tracks.values()]
        .filter(({ receivedAtMs, positions }) => nowMs - receivedAtMs < liveMs && positions >= positionsUntilShown)
        .map(({ id, address, lastMs, data, velocity }) => ({
          id,
          address,
          timeMs: lastMs,
          latDegrees: data.position.lat,
          lonDegrees: data.position.lon,
          eastMetresPerSecond: velocity[0],
          northMetresPerSecond: velocity[1],
          accuracyMetres: data.position.accuracy,
        })),
    takeAlerts: () => [],
    successorOf: () => undefined,
  }
}

function velocityOf(data: PositionData, before: Known | undefined, timeMs: number): readonly [number, number] {
  const { x, y } = data.groundVelocity ?? {}
  if (x !== undefined && y !== undefined) return [x, y]
  const seconds = before ? (timeMs - before.lastMs) / 1_000 : 0
  if (!before || seconds <= 0) return before?.velocity ?? [0, 0]
  const [east, north] = offsetMetres(placeOf(before.data), placeOf(data))
  return [east / seconds, north / seconds]
}

function addressOf({ data }: Sighting): string | undefined {
  return data.target?.ids?.find(({ type }) => type === 'ICAO')?.id
}

function findNamed(tracks: Map<string, Known>, sighting: Sighting): Known | undefined {
  const address = addressOf(sighting)
  const sourceId = sighting.data.target?.sourceId
  for (const known of tracks.values()) {
    if (address !== undefined && known.address === address) return known
    if (sourceId !== undefined && known.data.target?.sourceId === sourceId && known.address === address) return known
  }
  return undefined
}

function findNearest(tracks: Map<string, Known>, sighting: Sighting, receiver?: string): Known | undefined {
  const { data } = sighting
  const timeMs = Date.parse(data.sourceTimeStamp)
  const address = addressOf(sighting)
  let nearest: Known | undefined
  let least = nearMetres
  for (const known of tracks.values()) {
    if (receiver !== undefined && !known.id.startsWith(`${receiver} `)) continue
    if (Math.abs(timeMs - known.lastMs) > nearMs || (address && known.address && known.address !== address)) continue
    const [east, north] = offsetMetres(placeOf(known.data), placeOf(data))
    const seconds = (timeMs - known.lastMs) / 1_000
    const metres = Math.hypot(east - known.velocity[0] * seconds, north - known.velocity[1] * seconds)
    if (metres < least && isNearInHeight(known.data, data)) {
      least = metres
      nearest = known
    }
  }
  return nearest
}

function isNearInHeight({ altitudes: a = [] }: PositionData, { altitudes: b = [] }: PositionData): boolean {
  const [one] = a
  const other = b.find(({ datum }) => datum === one?.datum)
  return !one || !other || Math.abs(one.height - other.height) < nearHeightMetres
}

function placeOf({ position: { lat, lon } }: PositionData) {
  return { latDegrees: lat, lonDegrees: lon }
}
