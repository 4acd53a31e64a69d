/**
 * How many positions one thread takes per second of processor time, garbage collection included: from the report to the
 * tracks and alerts, and in the tracker alone.
 * In: recorded traffic and a number of targets. Out: rates, with copies of the traffic side by side, so that the
 * density stays that of the recording.
 */

import { createAlerts } from '@posrep/air/alerts'
import { completeAltitudes } from '@posrep/air/altitudes'
import { createCorrelator, type Reception } from '@posrep/air/correlation'
import { standardise } from '@posrep/air/standard'
import type { PositionData } from '@posrep/spec'
import type { Recorded } from './recordings.ts'

export interface Speed {
  positions: number
  /** Positions per second through standardise, completeAltitudes, the tracker and the alerts. */
  whole: number
  /** Of receptions that are ready. */
  tracker: number
}

interface Report {
  deviceUrn: string
  receivedAtMs: number
  positions: PositionData[]
  timesMs: number[]
}

const wantedPositions = 200_000
const copiesPerRow = 40
const positionsPerReport = 50
const rounds = 3
/** Of the sensor: barometric altitudes are converted. */
const inputs = { sensorPressureHpa: 1_009, sensorAltitude: { height: 50, datum: 'msl' } } as const

export function measureSpeed(
  recorded: readonly Recorded[],
  { targets, hiddenShare }: { targets: number; hiddenShare: number },
): Speed {
  const recordedTargets = new Set(recorded.map(({ identity }) => identity)).size
  const copies = Math.ceil(targets / recordedTargets)
  const part = recorded.slice(0, Math.ceil(wantedPositions / copies))
  const reports = toReports(part, copies, hiddenShare)
  const receptions = reports.map(toReceptions)
  const positions = part.length * copies
  return {
    positions,
    whole: bestRate(positions, () => run(reports, toReceptions, true)),
    tracker: bestRate(positions, () => run(receptions, (ready) => ready, false)),
  }
}

function bestRate(positions: number, task: () => void): number {
  const rates = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage()
    task()
    const { user, system } = process.cpuUsage(before)
    return (positions / (user + system)) * 1_000_000
  })
  return Math.max(...rates)
}

function run<T>(given: readonly T[], read: (one: T) => Reception[], hasAlerts: boolean): void {
  const tracker = createCorrelator()
  const alerts = createAlerts()
  let tickMs = 0
  for (const one of given) {
    for (const reception of read(one)) {
      if (reception.receivedAtMs >= tickMs) {
        const nowMs = Math.floor(reception.receivedAtMs / 1_000) * 1_000
        tickMs = nowMs + 1_000
        tracker.advance(nowMs)
        tracker.takeChanges()
        if (hasAlerts) alerts.update(nowMs, { tracks: tracker.tracks(), sensors: [] })
        alerts.takeChanges()
      }
      tracker.observe(reception)
    }
  }
}

function toReceptions({ deviceUrn, receivedAtMs, positions, timesMs }: Report): Reception[] {
  return standardise(positions, timesMs).map((position) => ({
    deviceUrn,
    receivedAtMs,
    position: { ...position, altitudes: completeAltitudes(position, inputs) },
  }))
}

/** Each copy has a sensor, which reports what it hears in half a second. */
function toReports(part: readonly Recorded[], copies: number, hiddenShare: number): Report[] {
  const reports: Report[] = []
  let turn = 0
  for (let at = 0; at < part.length; ) {
    const fromMs = part[at]?.position.timeMs ?? 0
    const end = part.findIndex(
      ({ position }, index) => index > at && (position.timeMs >= fromMs + 500 || index >= at + positionsPerReport),
    )
    const heard = part.slice(at, end < 0 ? part.length : end)
    at += heard.length
    const timesMs = heard.map(({ position }) => position.timeMs)
    for (let copy = 0; copy < copies; copy++) {
      const positions = heard.map((one) => {
        turn = (turn + 1) % 1_000
        return toCopy(one, copy, turn < hiddenShare * 1_000)
      })
      reports.push({ deviceUrn: `urn:device:${copy}`, receivedAtMs: fromMs + 1_000, positions, timesMs })
    }
  }
  return reports
}

export function toCopy({ data, identity }: Recorded, copy: number, isHidden: boolean): PositionData {
  const id = ((Number.parseInt(identity, 16) + copy * 0x1000) & 0xffffff).toString(16).toUpperCase().padStart(6, '0')
  const { sourceId: _, ...target } = data.target ?? {}
  return {
    ...data,
    position: {
      ...data.position,
      lat: data.position.lat - 4 * Math.floor(copy / copiesPerRow),
      lon: ((data.position.lon + 180 + 9 * (copy % copiesPerRow)) % 360) - 180,
    },
    target: isHidden ? { ...target, ids: [] } : { ...target, sourceId: id, ids: [{ id, type: 'ICAO' }] },
  }
}
