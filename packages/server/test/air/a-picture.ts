/**
 * A small air picture in memory, for tests of what reads pictures. In: tracks and other content. Out: an AirPicture,
 * and functions that change it as a frame of the tracker does.
 */

import { isInBox } from '@posrep/air'
import type { AirAlert, AirAreaList, AirFrame, AirPath, AirSensor, AirTrack, AirTrackDetail } from '@posrep/spec'
import { anAlert, aSensor, aTrack, aTrackAt } from '../../../air/test/an-air-track.ts'
import type { AirAreas } from '../../src/air/areas.ts'
import type { AirPicture, AirPictures } from '../../src/air/picture.ts'

export interface PictureUnderTest extends AirPicture {
  /** Publishes a frame, a second later. */
  change(what: Partial<Pick<AirFrame, 'tracks' | 'ended' | 'alerts' | 'sensors' | 'areas'>>): void
  /** Another process numbers the frames from now on, beginning with the number that the last one had. */
  takeOver(): void
  /** Number of callers of `watch` that have not ended. */
  watchers(): number
}

export interface Content {
  id?: string
  tracks?: AirTrack[]
  alerts?: AirAlert[]
  sensors?: AirSensor[]
  moreAlerts?: number
}

const noAreas: AirAreaList = { type: 'FeatureCollection', features: [] }
/** Frames that `since` remembers. */
const keptFrames = 5

export { anAlert, aSensor, aTrack, aTrackAt }

export function aPicture(content: Content = {}): PictureUnderTest {
  const { tracks = [], alerts = [], sensors = [], moreAlerts = 0 } = content
  let id = content.id ?? 'acme first'
  let timeMs = Date.UTC(2026, 0, 7, 12, 0, 31)
  let sequence = 4_711
  const byId = new Map(tracks.map((track) => [track.id, track]))
  const alertsById = new Map(alerts.map((alert) => [alert.id, alert]))
  const sensorsById = new Map(sensors.map((sensor) => [sensor.deviceId, sensor]))
  let areas = noAreas
  const frames: { sequence: number; frame: AirFrame }[] = []
  const listeners = new Set<(frame: AirFrame, sequence: number) => void>()

  return {
    get id() {
      return id
    },
    get timeMs() {
      return timeMs
    },
    get sequence() {
      return sequence
    },
    tracks: () => byId.values(),
    async detail(trackId): Promise<AirTrackDetail | undefined> {
      const track = byId.get(trackId)
      return track && { notice: 'Not for navigation', track, history: [], associations: [] }
    },
    async history({ box }) {
      const tracks = [...byId.values()].filter(({ position }) => !box || isInBox(box, position))
      const toText = ({ id, identifiers, position: { lat, lon } }: AirTrack) =>
        JSON.stringify({ id, identifiers, deviceIds: [], ended: false, points: [[lon, lat, 1.5]] } satisfies AirPath)
      return { timeMs, paths: tracks.map(toText).sort(), truncated: false }
    },
    alerts: () => [...alertsById.values()],
    moreAlerts: () => moreAlerts,
    sensors: () => [...sensorsById.values()],
    areas: () => areas,
    since(from) {
      const oldest = frames[0]?.sequence ?? sequence + 1
      if (from > sequence || from < oldest - 1) return undefined
      const later = frames.filter((entry) => entry.sequence > from).map(({ frame }) => frame)
      return merge(later, new Date(timeMs).toISOString())
    },
    watch(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    watchers: () => listeners.size,
    takeOver() {
      id = 'acme second'
      for (const listener of listeners) listener(empty(new Date(timeMs).toISOString()), sequence)
    },
    change(what) {
      timeMs += 1_000
      sequence += 1
      for (const track of what.tracks ?? []) byId.set(track.id, track)
      for (const id of what.ended ?? []) byId.delete(id)
      for (const alert of what.alerts ?? []) alertsById.set(alert.id, alert)
      for (const sensor of what.sensors ?? []) sensorsById.set(sensor.deviceId, sensor)
      areas = what.areas ?? areas
      const frame = { ...empty(new Date(timeMs).toISOString()), ...what }
      frames.push({ sequence, frame })
      if (frames.length > keptFrames) frames.shift()
      for (const listener of listeners) listener(frame, sequence)
    },
  }
}

/** Pictures and areas of accounts; an account without a picture has an empty one. */
export function picturesOf(pictures: Record<string, AirPicture>): { pictures: AirPictures; areas: AirAreas } {
  const all = new Map(Object.entries(pictures))
  const lists = new Map<string, AirAreaList>()
  return {
    pictures: {
      async open(accountId) {
        const picture = all.get(accountId) ?? aPicture()
        all.set(accountId, picture)
        return picture
      },
    },
    areas: {
      get: async (accountId) => lists.get(accountId) ?? noAreas,
      set: async (accountId, areas) => void lists.set(accountId, areas),
    },
  }
}

function empty(time: string): AirFrame {
  return { notice: 'Not for navigation', time, full: false, tracks: [], ended: [], alerts: [], sensors: [] }
}

function merge(frames: AirFrame[], time: string): AirFrame {
  const tracks = new Map<string, AirTrack>()
  const ended = new Set<string>()
  for (const frame of frames) {
    for (const track of frame.tracks) tracks.set(track.id, track)
    for (const id of frame.ended) {
      tracks.delete(id)
      ended.add(id)
    }
  }
  const { alerts, sensors } = { alerts: frames.flatMap((f) => f.alerts), sensors: frames.flatMap((f) => f.sensors) }
  const areas = frames.findLast((frame) => frame.areas)?.areas
  return { ...empty(time), tracks: [...tracks.values()], ended: [...ended], alerts, sensors, ...(areas && { areas }) }
}
