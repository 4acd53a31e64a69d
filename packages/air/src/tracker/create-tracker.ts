/**
 * A tracker: standardises reports, correlates them to tracks, watches for alerts, and knows how its sensors do.
 * In: reports in the order of their reception, and the time. Out: the picture, frames of what changed in it, a
 * snapshot. Pure: it knows no clock. Its time is that of the reports and of whole seconds, so the same calls give the
 * same picture.
 */
import type { AirAreaList, AirFrame, AirSensor, PositionReport } from '@posrep/spec'
import { createAlerts } from '../alerts/alerts.ts'
import type { SensorActivity } from '../alerts/silent-sensors.ts'
import { createCorrelator } from '../correlation/correlator.ts'
import type { SensorErrors } from '../correlation/sensors/sure-errors.ts'
import { toAirAssociation, toAirTrack, toAirTrackPoint, toTime } from '../track/to-air-track.ts'
import { listPaths } from './paths.ts'
import { toReceptions } from './receptions.ts'
import { createSensorFigures, longestSilenceMs } from './sensor-figures.ts'
import type { AddOptions, Tracker, TrackerOptions } from './tracker.ts'

const notice = 'Not for navigation'
const secondMs = 1_000
/** After this time without a report nothing changes any more: the tracks have ended, and silent sensors are alerts. */
const restAfterMs = longestSilenceMs + 60_000
/** Frames have what changed of the sensors at this interval. */
const sensorsEveryMs = 5_000
/** Frames come at least so often, also when nothing changes. */
const timeEveryMs = 5_000

/**
 * @throws RangeError when `maxTracks` or `separation` is not one of the allowed values
 * @throws Error when the snapshot is of another version
 * @example
 * ```ts
 * import { createTracker } from '@posrep/air'
 * import type { PositionData } from '@posrep/spec'
 *
 * export function show(positions: PositionData[]) {
 *   const tracker = createTracker()
 *   tracker.add({ sensor: { id: 'roof' }, positions }, Date.now())
 *   tracker.advance(Date.now())
 *   console.log(tracker.tracks(), tracker.alerts())
 * }
 * ```
 */
export function createTracker({
  areas: givenAreas,
  separation,
  terrain,
  maxTracks,
  snapshot,
  onFailed = (error) => {
    throw error
  },
}: TrackerOptions = {}): Tracker {
  const correlator = createCorrelator({
    ...(maxTracks !== undefined && { maxTracks }),
    ...(snapshot && { snapshot: snapshot.tracker }),
  })
  const alerts = createAlerts({
    ...(separation !== undefined && { separation }),
    ...(snapshot && { snapshot: snapshot.alerts }),
  })
  const sensors = createSensorFigures(snapshot?.sensors)
  let timeMs = snapshot?.timeMs ?? 0
  let lastReceivedAtMs = snapshot?.lastReceivedAtMs ?? 0
  let areas: AirAreaList = snapshot?.areas ?? { type: 'FeatureCollection', features: [] }
  let areasChanged = false
  let isSensorGone = false
  let sensorsShownAtMs = 0
  let framedAtMs = timeMs
  let shown = new Map<string, AirSensor>()
  if (givenAreas) setAreas(givenAreas)

  /** Runs the whole seconds up to `untilMs`, until the picture rests. */
  function runSeconds(untilMs: number): void {
    if (timeMs === 0) timeMs = untilMs
    const lastMs = Math.min(untilMs, lastReceivedAtMs + restAfterMs)
    for (let nextMs = secondAfter(timeMs); nextMs <= lastMs; nextMs += secondMs) {
      attempt(() => correlator.advance(nextMs))
      attempt(() => alerts.update(nextMs, { tracks: correlator.tracks(), sensors: activities(nextMs) }))
    }
    timeMs = Math.max(timeMs, untilMs)
  }

  function activities(nowMs: number): SensorActivity[] {
    return sensors
      .activities(nowMs)
      .map((activity) => ({ ...activity, ...toClock(correlator.errorsOf(activity.deviceUrn)) }))
  }

  function listSensors(): AirSensor[] {
    return sensors.list(timeMs).map((sensor) => ({ ...sensor, ...toAirErrors(correlator.errorsOf(sensor.deviceId)) }))
  }

  /** A step that fails must not stop the picture at its second. */
  function attempt(step: () => void): void {
    try {
      step()
    } catch (error) {
      onFailed(error)
    }
  }

  function* addInSteps(
    report: PositionReport,
    receivedAtMs: number,
    { deviceId = report.sensor?.id ?? 'sensor', seq, atMs = receivedAtMs }: AddOptions = {},
  ): Generator<unknown> {
    lastReceivedAtMs = Math.max(atMs, timeMs)
    runSeconds(lastReceivedAtMs)
    if (seq !== undefined && sensors.hasSeen(deviceId, seq)) return
    const from = { deviceUrn: deviceId, receivedAtMs }
    const { receptions, lagsMs, sensorState } = toReceptions(report, from, sensors.stateOf(deviceId), terrain)
    sensors.add({ ...from, seq: seq ?? 0, lagsMs, state: sensorState })
    for (const reception of receptions) yield correlator.observe(reception)
  }

  function setAreas(given: AirAreaList): void {
    areas = given
    areasChanged = true
    attempt(() => alerts.setAreas(given))
  }

  function toFrame(
    full: boolean,
    frame: Pick<AirFrame, 'tracks' | 'ended' | 'alerts' | 'moreAlerts' | 'sensors' | 'areas'>,
  ): AirFrame {
    framedAtMs = timeMs
    return { notice, time: toTime(timeMs), full, ...frame }
  }

  function moreAlerts(): Pick<AirFrame, 'moreAlerts'> {
    const { more } = alerts.counts()
    return more > 0 ? { moreAlerts: more } : {}
  }

  function takeSensors(): AirSensor[] {
    if (timeMs - sensorsShownAtMs < sensorsEveryMs) return []
    sensorsShownAtMs = timeMs
    const before = shown
    shown = new Map(listSensors().map((sensor) => [JSON.stringify(sensor), sensor]))
    return [...shown].flatMap(([text, sensor]) => (before.has(text) ? [] : [sensor]))
  }

  const tracks = () => Array.from(correlator.tracks(), toAirTrack)

  function whole(): AirFrame {
    return toFrame(true, {
      tracks: tracks(),
      ended: [],
      alerts: alerts.list(),
      ...moreAlerts(),
      sensors: listSensors(),
      areas,
    })
  }

  function dropChanges(): void {
    correlator.takeChanges()
    alerts.takeChanges()
    areasChanged = false
    isSensorGone = false
  }

  return {
    timeMs: () => timeMs,
    add(report, receivedAtMs, options) {
      const positions = addInSteps(report, receivedAtMs, options)
      for (let taken = 0; ; taken++) if (positions.next().done) return taken
    },
    addInSteps,
    advance(nowMs) {
      if (nowMs > timeMs && timeMs > 0) runSeconds(nowMs)
    },
    setAreas,
    forgetSensor(deviceId) {
      correlator.forgetSensor(deviceId)
      sensors.forget(deviceId)
      isSensorGone = true
    },
    takeChanges() {
      if (isSensorGone) {
        dropChanges()
        return whole()
      }
      const { changed, ended } = correlator.takeChanges()
      const frame = {
        tracks: changed.map(toAirTrack),
        ended: ended.map(({ id }) => id),
        alerts: alerts.takeChanges(),
        ...moreAlerts(),
        sensors: takeSensors(),
        ...(areasChanged && { areas }),
      }
      areasChanged = false
      // Without changes a frame from time to time tells that the picture is current.
      if (timeMs - framedAtMs >= timeEveryMs) return toFrame(false, frame)
      const isEmpty = [frame.tracks, frame.ended, frame.alerts, frame.sensors].every(({ length }) => length === 0)
      return isEmpty && !frame.areas ? undefined : toFrame(false, frame)
    },
    dropChanges,
    whole,
    tracks,
    alerts: alerts.list,
    sensors: listSensors,
    find(trackId) {
      const track = correlator.find(trackId)
      if (!track) return undefined
      return {
        notice,
        track: toAirTrack(track),
        history: correlator.history(trackId).map(toAirTrackPoint),
        associations: correlator.associations(trackId).map(toAirAssociation),
      }
    },
    history: (query) => listPaths(correlator.histories(), query, timeMs),
    counts() {
      const { crowded, more } = alerts.counts()
      return { ...correlator.counts(), targets: count(correlator.tracks()), crowded, moreAlerts: more }
    },
    isResting: () => (timeMs === 0 || timeMs - lastReceivedAtMs >= restAfterMs) && count(correlator.tracks()) === 0,
    snapshot: () => ({
      version: 3,
      timeMs,
      lastReceivedAtMs,
      tracker: correlator.snapshot(),
      alerts: alerts.snapshot(),
      areas,
      sensors: sensors.snapshot(),
    }),
  }
}

function toClock({ clockOffsetSeconds }: SensorErrors): Pick<SensorErrors, 'clockOffsetSeconds'> {
  return clockOffsetSeconds === undefined ? {} : { clockOffsetSeconds }
}

function toAirErrors({
  clockOffsetSeconds,
  placeOffset,
  azimuthOffsetDegrees,
  rangeOffsetMetres,
}: SensorErrors): Pick<AirSensor, keyof SensorErrors> {
  return {
    ...(clockOffsetSeconds !== undefined && { clockOffsetSeconds: Math.round(clockOffsetSeconds * 10) / 10 }),
    ...(placeOffset && {
      placeOffset: { eastMetres: Math.round(placeOffset.eastMetres), northMetres: Math.round(placeOffset.northMetres) },
    }),
    ...(azimuthOffsetDegrees !== undefined && { azimuthOffsetDegrees: Math.round(azimuthOffsetDegrees * 10) / 10 }),
    ...(rangeOffsetMetres !== undefined && { rangeOffsetMetres: Math.round(rangeOffsetMetres) }),
  }
}

function secondAfter(timeMs: number): number {
  return (Math.floor(timeMs / secondMs) + 1) * secondMs
}

function count(values: Iterable<unknown>): number {
  let found = 0
  for (const _ of values) found++
  return found
}
