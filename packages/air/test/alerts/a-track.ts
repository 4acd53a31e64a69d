/**
 * Tracks for tests, placed in metres around a point near Helsinki, and a run of the alerts over them.
 * In: places and velocities at second 0. Out: the alerts after each second.
 */
import type { AirAlert } from '@posrep/spec'
import { expect } from 'vitest'
import { type AlertsOptions, createAlerts } from '../../src/alerts/alerts.ts'
import { displace } from '../../src/alerts/local-plane.ts'
import type { SensorActivity } from '../../src/alerts/silent-sensors.ts'
import { inUnits } from '../../src/map/model/words.ts'
import type { StandardAltitude, StandardIdentifier } from '../../src/standard/standard-position.ts'
import type { Track } from '../../src/track/track.ts'

export const startMs = Date.parse('2026-01-07T12:00:00.000Z')
export const origin = { latDegrees: 60.3, lonDegrees: 24.9 }

export interface Flight {
  id?: string
  name?: string
  east?: number
  north?: number
  /** Above mean sea level; null: no altitude at all. */
  up?: number | null
  /** East, north and up. */
  velocity?: [number, number, number?] | null
  drone?: boolean
  track?: Partial<Track>
}

/** The track as its sensor reports it at a time: by default, straight ahead from second 0. */
export function aTrack(flight: Flight = {}, timeMs = startMs): Track {
  const { id = 't1', name, east = 0, north = 0, up = 1_000, velocity = [100, 0], drone = false, track } = flight
  const seconds = (timeMs - startMs) / 1_000
  const [vEast, vNorth, vUp = 0] = velocity ?? [0, 0]
  const place = displace(origin, { eastMetres: east + vEast * seconds, northMetres: north + vNorth * seconds })
  const altitudes: StandardAltitude[] =
    up === null ? [] : [{ heightMetres: up + vUp * seconds, datum: 'msl', provenance: 'given' }]
  const identifiers: StandardIdentifier[] = name === undefined ? [] : [{ kind: 'CallSign', id: name, type: 'CallSign' }]
  return {
    id,
    state: 'live',
    type: drone ? 'aa:target:drone' : 'aa:target:aircraft',
    identifiers,
    timeMs,
    receivedAtMs: timeMs,
    ...place,
    accuracyMetres: 5,
    ...(velocity && {
      velocity: { eastMetresPerSecond: vEast, northMetresPerSecond: vNorth, accuracyMetresPerSecond: 0.5 },
      upMetresPerSecond: vUp,
    }),
    altitudes,
    contributions: [],
    positions: 10,
    ...track,
  }
}

export interface Run extends AlertsOptions {
  seconds: number
  /** The tracks at a time. */
  tracksAt: (timeMs: number) => Track[]
  sensorsAt?: (timeMs: number) => SensorActivity[]
  everySecond?: (alerts: ReturnType<typeof createAlerts>, second: number) => void
  prepare?: (alerts: ReturnType<typeof createAlerts>) => void
}

/** One update a second, the first at second 0. */
export function run({ seconds, tracksAt, sensorsAt = () => [], everySecond, prepare, ...options }: Run) {
  const alerts = createAlerts(options)
  prepare?.(alerts)
  const changes: { second: number; alert: AirAlert }[] = []
  for (let second = 0; second <= seconds; second++) {
    const nowMs = startMs + second * 1_000
    alerts.update(nowMs, { tracks: tracksAt(nowMs), sensors: sensorsAt(nowMs) })
    for (const alert of alerts.takeChanges()) {
      checkUnits(alert)
      changes.push({ second, alert })
    }
    everySecond?.(alerts, second)
  }
  return { alerts, changes, raised: changes.filter(({ alert }) => alert.raisedAt === alert.updatedAt) }
}

/** The map shows every figure of every sentence in the user's units. */
function checkUnits({ text, conflict }: AirAlert): void {
  for (const sentence of [text, ...(conflict?.advice ?? []).map((advice) => advice.text)])
    expect(inUnits(sentence, 'aviation')).not.toMatch(/\d k?m(?:\/s)?\b/)
}

export const flying =
  (...flights: Flight[]) =>
  (timeMs: number) =>
    flights.map((flight, index) => aTrack({ id: `t${index + 1}`, ...flight }, timeMs))
