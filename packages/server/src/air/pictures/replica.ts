/**
 * A copy of an account's picture, for those who read it in this process.
 * In: messages with the whole picture or with what changed. Out: the picture as it is now, and what changed since a
 * frame.
 */
import type { AirAlert, AirAreaList, AirFrame, AirSensor, AirTrack } from '@posrep/spec'
import type { AirMessage } from './air-source.ts'

export interface Replica {
  /** False when a frame before this one is missing: the whole picture is needed. */
  apply(message: AirMessage): boolean
  timeMs(): number
  sequence(): number
  /** Who numbers the frames; empty before the first one. */
  holder(): string
  tracks(): Iterable<AirTrack>
  alerts(): readonly AirAlert[]
  moreAlerts(): number
  sensors(): readonly AirSensor[]
  areas(): AirAreaList
  since(sequence: number): AirFrame | undefined
  watch(listener: (frame: AirFrame, sequence: number) => void): () => void
  isWatched(): boolean
}

/** What a frame changed: the ids are enough, because `since` gives everything as it is now. */
interface Change {
  sequence: number
  atMs: number
  tracks: string[]
  ended: string[]
  alerts: string[]
  sensors: string[]
  areas: boolean
}

const notice = 'Not for navigation'
const keepChangesMs = 2 * 60_000
/** Ids in all kept changes together. */
const maxKeptIds = 500_000
const keepAlertsMs = 60 * 60_000
const maxAlerts = 1_000

/** @param openedAtMs The time of the picture until it has a frame. */
export function createReplica(areasAtFirst: AirAreaList, openedAtMs: number): Replica {
  const tracks = new Map<string, AirTrack>()
  const alerts = new Map<string, AirAlert>()
  const sensors = new Map<string, AirSensor>()
  const listeners = new Set<(frame: AirFrame, sequence: number) => void>()
  let areas = areasAtFirst
  let moreAlerts = 0
  let timeMs = openedAtMs
  let holder = ''
  let sequence = 0
  let changes: Change[] = []
  let keptIds = 0

  function replaceAll(frame: AirFrame): void {
    for (const map of [tracks, alerts, sensors]) map.clear()
    merge(frame)
    changes = []
    keptIds = 0
  }

  function merge(frame: AirFrame): void {
    for (const track of frame.tracks) tracks.set(track.id, track)
    for (const id of frame.ended) tracks.delete(id)
    for (const alert of frame.alerts) alerts.set(alert.id, alert)
    for (const sensor of frame.sensors) sensors.set(sensor.deviceId, sensor)
    if (frame.areas) areas = frame.areas
    moreAlerts = frame.moreAlerts ?? 0
    timeMs = Date.parse(frame.time)
    forgetAlerts()
  }

  /** Alerts that ended long ago, and the oldest of too many. */
  function forgetAlerts(): void {
    for (const [id, { endedAt }] of alerts) {
      if (endedAt !== null && Date.parse(endedAt) < timeMs - keepAlertsMs) alerts.delete(id)
    }
    for (const [id, { state }] of alerts) {
      if (alerts.size <= maxAlerts) return
      if (state === 'ended') alerts.delete(id)
    }
  }

  function keepChange(frame: AirFrame): void {
    const change: Change = {
      sequence,
      atMs: timeMs,
      tracks: frame.tracks.map(({ id }) => id),
      ended: frame.ended,
      alerts: frame.alerts.map(({ id }) => id),
      sensors: frame.sensors.map(({ deviceId }) => deviceId),
      areas: frame.areas !== undefined,
    }
    changes.push(change)
    keptIds += idsOf(change)
    for (let oldest = changes[0]; oldest; oldest = changes[0]) {
      if (oldest.atMs >= timeMs - keepChangesMs && keptIds <= maxKeptIds) return
      keptIds -= idsOf(oldest)
      changes.shift()
    }
  }

  function allAlerts(): AirAlert[] {
    const byRaised = [...alerts.values()].sort((a, b) => b.raisedAt.localeCompare(a.raisedAt))
    return [...byRaised.filter(({ state }) => state === 'active'), ...byRaised.filter(({ state }) => state === 'ended')]
  }

  return {
    apply(message) {
      // The worker made the message.
      const frame = JSON.parse(message.frame) as AirFrame
      if (!frame.full && (message.holder !== holder || message.sequence > sequence + 1)) return false
      // A frame from before the whole picture.
      if (!frame.full && message.sequence <= sequence) return true
      if (frame.full) replaceAll(frame)
      else merge(frame)
      holder = message.holder
      sequence = message.sequence
      if (!frame.full) keepChange(frame)
      const shown = frame.full ? { ...frame, alerts: frame.alerts.filter(({ state }) => state === 'active') } : frame
      for (const listener of listeners) listener(shown, sequence)
      return true
    },
    timeMs: () => timeMs,
    sequence: () => sequence,
    holder: () => holder,
    tracks: () => tracks.values(),
    alerts: allAlerts,
    moreAlerts: () => moreAlerts,
    sensors: () => [...sensors.values()],
    areas: () => areas,
    since(after) {
      if (after > sequence || (after < sequence && (changes[0]?.sequence ?? Number.POSITIVE_INFINITY) > after + 1)) {
        return undefined
      }
      const missed = changes.filter((change) => change.sequence > after)
      const find = <T>(ids: string[], map: Map<string, T>) => [...new Set(ids)].flatMap((id) => map.get(id) ?? [])
      return {
        notice,
        time: new Date(timeMs).toISOString(),
        full: false,
        tracks: find(
          missed.flatMap((change) => change.tracks),
          tracks,
        ),
        ended: [...new Set(missed.flatMap((change) => change.ended))].filter((id) => !tracks.has(id)),
        alerts: find(
          missed.flatMap((change) => change.alerts),
          alerts,
        ),
        sensors: find(
          missed.flatMap((change) => change.sensors),
          sensors,
        ),
        ...(moreAlerts > 0 && { moreAlerts }),
        ...(missed.some((change) => change.areas) && { areas }),
      }
    },
    watch(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    isWatched: () => listeners.size > 0,
  }
}

function idsOf({ tracks, ended, alerts, sensors }: Change): number {
  return 1 + tracks.length + ended.length + alerts.length + sensors.length
}
