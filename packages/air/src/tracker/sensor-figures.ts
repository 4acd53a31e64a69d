/**
 * What is known of each sensor: when it last reported, how much, how late, and whether it fell silent.
 * In: its reports, in the order of the entries. Out: figures as of a time; a snapshot from which they continue. Pure.
 */
import type { AirSensor } from '@posrep/spec'
import type { SensorActivity } from '../alerts/silent-sensors.ts'
import type { SensorState } from './sensor-state.ts'

export interface SensorFigures {
  /** Whether the report was added before: it is repeated after a crash. */
  hasSeen(deviceUrn: string, seq: number): boolean
  add(report: SensorReport): void
  /** What the sensor has said of itself. */
  stateOf(deviceUrn: string): SensorState
  /** As of `nowMs`. */
  list(nowMs: number): AirSensor[]
  /** The offset of a clock is known here only if all positions come equally late or early. */
  activities(nowMs: number): SensorActivity[]
  forget(deviceUrn: string): void
  snapshot(): SensorSnapshot[]
}

export interface SensorReport {
  deviceUrn: string
  seq: number
  receivedAtMs: number
  /** Times from the measurements of the positions to the reception. */
  lagsMs: readonly number[]
  state: SensorState
}

export interface SensorSnapshot {
  deviceUrn: string
  /** The highest seq of its reports. */
  lastSeq: number
  lastSeenMs: number
  /** Mean time between its reports, of which recent ones count more. 0 until it has two. */
  usualIntervalMs: number
  state: SensorState
  /** The last minute in steps of 5 s, newest first. */
  steps: Step[]
}

interface Step {
  atMs: number
  positions: number
  /** The first lags of the step. */
  lagsMs: number[]
}

/** Each sensor is silent after it. */
export const longestSilenceMs = 10 * 60_000
const windowMs = 60_000
const stepMs = 5_000
const lagsPerStep = 8
/** The share of the newest interval in the mean. */
const newestShare = 0.2
/** Silent after this many usual intervals, within these limits. */
const silentIntervals = 5
const silentMs = { least: 15_000, most: longestSilenceMs, unknown: 60_000 }
/** The sensor of which nothing was received for the longest time is forgotten beyond this number. */
const maxSensors = 20_000

export function createSensorFigures(snapshot: readonly SensorSnapshot[] = []): SensorFigures {
  // In the order of the last reports, oldest first.
  const sensors = new Map(snapshot.map((sensor) => [sensor.deviceUrn, structuredClone(sensor)]))

  function isSilent({ lastSeenMs, usualIntervalMs }: SensorSnapshot, nowMs: number): boolean {
    const usualMs = usualIntervalMs === 0 ? silentMs.unknown : usualIntervalMs * silentIntervals
    return nowMs - lastSeenMs > Math.min(Math.max(usualMs, silentMs.least), silentMs.most)
  }

  function toSensor(sensor: SensorSnapshot, nowMs: number): AirSensor {
    const steps = sensor.steps.filter(({ atMs }) => atMs > nowMs - windowMs)
    return {
      deviceId: sensor.deviceUrn,
      state: isSilent(sensor, nowMs) ? 'silent' : 'live',
      ...(sensor.state.position && { position: sensor.state.position }),
      lastSeen: new Date(sensor.lastSeenMs).toISOString(),
      positionsPerMinute: steps.reduce((sum, { positions }) => sum + positions, 0),
      lagSeconds: Math.round(medianOf(steps.flatMap(({ lagsMs }) => lagsMs))) / 1_000,
    }
  }

  return {
    hasSeen: (deviceUrn, seq) => seq <= (sensors.get(deviceUrn)?.lastSeq ?? 0),
    stateOf: (deviceUrn) => sensors.get(deviceUrn)?.state ?? {},
    add({ deviceUrn, seq, receivedAtMs, lagsMs, state }) {
      const sensor = sensors.get(deviceUrn) ?? {
        deviceUrn,
        lastSeq: seq,
        lastSeenMs: receivedAtMs,
        usualIntervalMs: 0,
        state,
        steps: [],
      }
      const intervalMs = receivedAtMs - sensor.lastSeenMs
      // Reports that arrive together are one for this purpose.
      if (intervalMs >= 1_000) {
        sensor.usualIntervalMs +=
          (intervalMs - sensor.usualIntervalMs) * (sensor.usualIntervalMs === 0 ? 1 : newestShare)
      }
      sensor.lastSeq = seq
      sensor.lastSeenMs = Math.max(sensor.lastSeenMs, receivedAtMs)
      sensor.state = state
      addToSteps(sensor.steps, receivedAtMs, lagsMs)
      sensors.delete(deviceUrn)
      sensors.set(deviceUrn, sensor)
      for (const oldest of sensors.keys()) {
        if (sensors.size <= maxSensors) break
        sensors.delete(oldest)
      }
    },
    list: (nowMs) => [...sensors.values()].map((sensor) => toSensor(sensor, nowMs)),
    activities: (nowMs) =>
      [...sensors.values()].map((sensor) => ({
        deviceUrn: sensor.deviceUrn,
        lastSeenMs: sensor.lastSeenMs,
        isSilent: isSilent(sensor, nowMs),
        ...toOffset(sensor, nowMs),
      })),
    forget: (deviceUrn) => void sensors.delete(deviceUrn),
    snapshot: () => [...sensors.values()],
  }
}

/** A report that waited comes late once; a wrong clock makes all positions late, or early, by the same time. */
function toOffset({ steps }: SensorSnapshot, nowMs: number): { clockOffsetSeconds?: number } {
  const recent = steps.filter(({ atMs }) => atMs > nowMs - windowMs)
  const lagsMs = recent.flatMap((step) => step.lagsMs)
  const lagMs = medianOf(lagsMs)
  const isUsual = lagMs >= -usualLagMs.early && lagMs <= usualLagMs.late
  const isSteady = Math.max(...lagsMs) - Math.min(...lagsMs) <= steadyLagMs
  return recent.length < leastSteps || isUsual || !isSteady ? {} : { clockOffsetSeconds: -lagMs / 1_000 }
}

const usualLagMs = { early: 2_000, late: 30_000 }
const steadyLagMs = 5_000
const leastSteps = 4

function addToSteps(steps: Step[], receivedAtMs: number, lagsMs: readonly number[]): void {
  const atMs = Math.floor(receivedAtMs / stepMs) * stepMs
  let [newest] = steps
  if (!newest || newest.atMs < atMs) {
    newest = { atMs, positions: 0, lagsMs: [] }
    steps.unshift(newest)
  }
  newest.positions += lagsMs.length
  for (const lagMs of lagsMs.slice(0, lagsPerStep - newest.lagsMs.length)) newest.lagsMs.push(Math.round(lagMs))
  while ((steps.at(-1)?.atMs ?? atMs) <= atMs - windowMs) steps.pop()
}

function medianOf(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length === 0) return 0
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}
