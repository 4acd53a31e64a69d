/**
 * A scripted air picture for tests of its page: targets that fly straight on, two of them towards each other, and two
 * sensors.
 * In: how many targets, and whether they stay where they begin. Out: what `startServer` takes as its air picture, and a
 * function that ends it.
 */
import type { ServerOptions } from '@posrep/server'
import type { AirAlert, AirAreaList, AirFrame, AirPath, AirSensor, AirTrack, AirTrackDetail } from '@posrep/spec'
import { currentTimeMs } from '../../testing/real-time.ts'

type Air = NonNullable<ServerOptions['air']>
type Picture = Awaited<ReturnType<Air['pictures']['open']>>

export interface MovingPicture {
  air: Air
  /** No frames come until the next call. */
  pause(isPaused: boolean): void
  stop(): void
}

interface Flight {
  id: string
  name: string
  lat: number
  lon: number
  east: number
  north: number
  height: number
}

const notice = 'Not for navigation'
const metresPerDegree = 111_320
const centre = { lat: 36.7, lon: -121.9 }
const [north, south] = ['urn:aa:device:acme:roof1', 'urn:aa:device:acme:mast2']

export function aMovingPicture(count: number, { isStill = false } = {}): MovingPicture {
  const flights = Array.from({ length: count }, (_, index) => toFlight(index))
  const listeners = new Set<(frame: AirFrame, sequence: number) => void>()
  const startedAtMs = currentTimeMs()
  let sequence = Math.floor(startedAtMs / 1_000)
  let last: AirFrame | undefined
  let isPaused = false

  const timer = setInterval(() => {
    if (isPaused) return
    if (!isStill) for (const flight of flights) fly(flight)
    sequence++
    last = { ...toFrame(), full: false }
    for (const listener of listeners) listener(last, sequence)
  }, 1_000)

  const toFrame = (): AirFrame => ({
    notice,
    time: now(),
    full: true,
    tracks: flights.map(toTrack),
    ended: [],
    alerts: toAlerts(flights, startedAtMs),
    sensors: toSensors(count),
  })

  const picture: Picture = {
    id: 'moving',
    get timeMs() {
      return currentTimeMs()
    },
    get sequence() {
      return sequence
    },
    tracks: () => flights.map(toTrack),
    detail: async (id) => toDetail(flights.find((flight) => flight.id === id)),
    history: async () => toHistory(flights),
    alerts: () => toAlerts(flights, startedAtMs),
    moreAlerts: () => 0,
    sensors: () => toSensors(count),
    areas: () => areas,
    since: (from) => (from === sequence - 1 ? last : undefined),
    watch(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  return {
    air: {
      pictures: { open: async () => picture },
      areas: { get: async () => areas, set: async () => {} },
    },
    pause: (paused) => void (isPaused = paused),
    stop: () => clearInterval(timer),
  }
}

const areas: AirAreaList = {
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      id: 'stadium',
      properties: { name: 'Stadium', ceiling: { height: 900, datum: 'msl' } },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [-122.4, 36.4],
            [-122.2, 36.4],
            [-122.2, 36.6],
            [-122.4, 36.6],
            [-122.4, 36.4],
          ],
        ],
      },
    },
  ],
}

/** The first two meet; the others are spread over a disc by the golden angle, so that each run is the same. */
function toFlight(index: number): Flight {
  if (index < 2) {
    const sign = index === 0 ? -1 : 1
    const [lat, lon] = [centre.lat + 0.2, centre.lon + sign * 0.3]
    return {
      id: `t${index}`,
      name: index === 0 ? 'N172SP' : 'ASA512',
      lat,
      lon,
      east: -sign * 120,
      north: 0,
      height: 1_500,
    }
  }
  const [angle, distance] = [index * 2.399_963, 1.6 * Math.sqrt(index / 2_000) + 0.2]
  const [heading, speed] = [index * 1.7, 60 + ((index * 37) % 190)]
  return {
    id: `t${index.toString(36)}`,
    name: `TST${index}`,
    lat: centre.lat + distance * Math.sin(angle),
    lon: centre.lon + 1.25 * distance * Math.cos(angle),
    east: speed * Math.sin(heading),
    north: speed * Math.cos(heading),
    height: (index * 97) % 12_000,
  }
}

function fly(flight: Flight): void {
  flight.lat += flight.north / metresPerDegree
  flight.lon += flight.east / metresPerDegree / Math.cos((flight.lat * Math.PI) / 180)
}

function now(): string {
  return new Date(currentTimeMs()).toISOString()
}

function toTrack({ id, name, lat, lon, east, north: y, height }: Flight): AirTrack {
  return {
    id,
    state: 'live',
    type: 'aa:target:aircraft',
    identifiers: [{ id: name, type: 'CallSign' }],
    time: now(),
    receivedAt: now(),
    position: { lat, lon, accuracy: 15 },
    altitudes: [{ height, datum: 'msl', provenance: 'derived', from: 'wgs84, EGM96' }],
    groundVelocity: { x: east, y, z: 0 },
    sensors: [{ deviceId: north, lastSeen: now(), positions: 40 }],
    positions: 40,
  }
}

function toDetail(flight: Flight | undefined): AirTrackDetail | undefined {
  if (!flight) return undefined
  const { lat, lon, height } = flight
  return {
    notice,
    track: toTrack(flight),
    history: [{ time: now(), deviceId: north, position: { lat, lon }, altitude: { height, datum: 'msl' } }],
    associations: [{ time: now(), deviceId: north, reason: 'started', text: 'No track fits, so a new one begins' }],
  }
}

/** The last two minutes of each, and one that ended a minute ago. */
function toHistory(flights: Flight[]): Awaited<ReturnType<Picture['history']>> {
  const toPath = ({ id, name, lat, lon, east, north: y, height }: Flight, endSeconds: number): AirPath => ({
    id,
    type: 'aa:target:aircraft',
    identifiers: [{ id: name, type: 'CallSign' }],
    deviceIds: [north],
    ended: endSeconds > 0,
    points: Array.from({ length: 13 - endSeconds / 10 }, (_, index) => {
      const before = 120 - index * 10
      const metresPerLon = metresPerDegree * Math.cos((lat * Math.PI) / 180)
      return [lon - (east * before) / metresPerLon, lat - (y * before) / metresPerDegree, before, height]
    }),
  })
  const gone = { ...toFlight(2), id: 'gone', name: 'GONE1' }
  const paths = [...flights.map((flight) => toPath(flight, 0)), ...(flights.length > 0 ? [toPath(gone, 60)] : [])]
  return { timeMs: currentTimeMs(), paths: paths.map((path) => JSON.stringify(path)), truncated: false }
}

function toAlerts([a, b]: Flight[], startedAtMs: number): AirAlert[] {
  if (!a || !b) return []
  const time = now()
  const middle = { lat: a.lat, lon: (a.lon + b.lon) / 2 }
  const seconds = (((b.lon - a.lon) * metresPerDegree * Math.cos((a.lat * Math.PI) / 180)) / (a.east - b.east)) | 0
  const tracks = [a, b].map(({ id, lat, lon }) => ({
    trackId: id,
    time,
    position: { lat, lon },
    closestPosition: middle,
  }))
  return [
    {
      id: 'a1',
      kind: 'conflict',
      state: 'active',
      raisedAt: new Date(startedAtMs).toISOString(),
      updatedAt: time,
      endedAt: null,
      text: 'N172SP and ASA512 pass within 100 m',
      conflict: {
        limits: { preset: 'test', horizontalMetres: 1_000, verticalMetres: 100, lookAheadSeconds: 600 },
        timeToClosestSeconds: Math.max(0, seconds),
        closestAt: new Date(currentTimeMs() + Math.max(0, seconds) * 1_000).toISOString(),
        horizontalMetres: 100,
        verticalMetres: 0,
        tracks,
        advice: [{ kind: 'heading', trackId: a.id, turnDegrees: 12, text: 'N172SP: turn 12 degrees to the right' }],
      },
    },
  ]
}

function toSensors(count: number): AirSensor[] {
  if (count === 0) return []
  const sensor = { state: 'live' as const, lastSeen: now(), positionsPerMinute: count * 60, lagSeconds: 0.6 }
  return [
    {
      ...sensor,
      deviceId: north,
      position: centre,
      clockOffsetSeconds: -7.4,
      placeOffset: { eastMetres: 140, northMetres: -150 },
    },
    { ...sensor, deviceId: south, state: 'silent', positionsPerMinute: 0 },
  ]
}
