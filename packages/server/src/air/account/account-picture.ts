/**
 * The air picture of one account: standardises its reports, correlates them, watches for alerts, counts what its sensors send.
 * In: reports in the order of the entries, and the time. Out: frames of what changed, the whole picture, a snapshot.
 * Deterministic: its time is that of the entries and of whole seconds, so a repetition after a crash gives the same picture.
 */
import type { AirAreaList, AirFrame, AirSensor, AirTrackDetail } from '@posrep/spec'
import type { AirLeftOut, AirNow } from '../../ports/meter.ts'
import { type AlertsSnapshot, createAlerts } from '../alerts/alerts.ts'
import type { SeparationSetting } from '../alerts/separation.ts'
import type { HistoryQuery, HistoryTexts } from '../picture.ts'
import type { TrackerSnapshot } from '../tracker/snapshot.ts'
import { createTracker } from '../tracker/tracker.ts'
import { listPaths } from './paths.ts'
import { type ReadingOptions, type ReceivedReport, toReceptions } from './receptions.ts'
import { createSensorFigures, longestSilenceMs, type SensorSnapshot } from './sensor-figures.ts'
import { toAirAssociation, toAirTrack, toAirTrackPoint, toTime } from './to-wire.ts'

export interface AccountPicture {
  /** The time of the latest entry or whole second. */
  timeMs(): number
  /**
   * Takes a report position by position, so that the caller can do other work in between; none of a report that is repeated.
   * @throws SyntaxError when the report is not JSON
   */
  receive(report: ReceivedReport, entryAtMs: number): Iterator<unknown>
  /** Without entries the picture goes on until it rests. Call it with a time that no later entry has. */
  advance(nowMs: number): void
  setAreas(areas: AirAreaList): void
  /** The account no longer has the sensor. The next frame is the whole picture, because changes do not tell what sensors are gone. */
  forgetSensor(deviceUrn: string): void
  /** What changed since the last call; undefined if nothing did. */
  takeChanges(): AirFrame | undefined
  /** The same, if nobody reads it. */
  dropChanges(): undefined
  whole(): AirFrame
  detail(trackId: string): AirTrackDetail | undefined
  history(query: HistoryQuery): HistoryTexts
  silentSensors(): string[]
  /** What the picture has now. */
  counts(): AirNow
  /** What the tracker left out since the last call. */
  takeLeftOut(): Record<AirLeftOut, number>
  /** True when it has no tracks and has received nothing for eleven minutes. It does not change until the next report. */
  isResting(): boolean
  /** Write it as JSON before the next call. */
  snapshot(): AccountSnapshot
}

export interface AccountPictureOptions extends ReadingOptions {
  /** Limit of tracks. */
  maxTargets: number
  separation: SeparationSetting
  snapshot?: AccountSnapshot | undefined
  /** A step of a second failed, and is left out. Default: the error is thrown. */
  onFailed?(error: unknown): void
}

export interface AccountSnapshot {
  version: 2
  timeMs: number
  lastReceivedAtMs: number
  tracker: TrackerSnapshot
  alerts: AlertsSnapshot
  areas: AirAreaList
  sensors: SensorSnapshot[]
}

const notice = 'Not for navigation'
const secondMs = 1_000
/** After this time without a report nothing changes any more: the tracks have ended, and silent sensors are alerts. */
const restAfterMs = longestSilenceMs + 60_000
/** Frames have what changed of the sensors at this interval. */
const sensorsEveryMs = 5_000

export function createAccountPicture({
  maxTargets,
  separation,
  snapshot,
  onFailed = (error) => {
    throw error
  },
  ...reading
}: AccountPictureOptions): AccountPicture {
  const tracker = createTracker({ maxTracks: maxTargets, ...(snapshot && { snapshot: snapshot.tracker }) })
  const alerts = createAlerts({ separation, ...(snapshot && { snapshot: snapshot.alerts }) })
  const sensors = createSensorFigures(snapshot?.sensors)
  let leftOut: Record<AirLeftOut, number> = { ...tracker.counts() }
  let timeMs = snapshot?.timeMs ?? 0
  let lastReceivedAtMs = snapshot?.lastReceivedAtMs ?? 0
  let areas: AirAreaList = snapshot?.areas ?? { type: 'FeatureCollection', features: [] }
  let areasChanged = false
  let isSensorGone = false
  let sensorsShownAtMs = 0
  let shown = new Map<string, AirSensor>()

  /** Runs the whole seconds up to `untilMs`, until the picture rests. */
  function runSeconds(untilMs: number): void {
    if (timeMs === 0) timeMs = untilMs
    const lastMs = Math.min(untilMs, lastReceivedAtMs + restAfterMs)
    for (let nextMs = secondAfter(timeMs); nextMs <= lastMs; nextMs += secondMs) {
      attempt(() => tracker.advance(nextMs))
      attempt(() => alerts.update(nextMs, { tracks: tracker.tracks(), sensors: sensors.activities(nextMs) }))
    }
    timeMs = Math.max(timeMs, untilMs)
  }

  /** A step that fails must not stop the picture at its second. */
  function attempt(step: () => void): void {
    try {
      step()
    } catch (error) {
      onFailed(error)
    }
  }

  function toFrame(
    full: boolean,
    frame: Pick<AirFrame, 'tracks' | 'ended' | 'alerts' | 'moreAlerts' | 'sensors' | 'areas'>,
  ): AirFrame {
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
    shown = new Map(sensors.list(timeMs).map((sensor) => [JSON.stringify(sensor), sensor]))
    return [...shown].flatMap(([text, sensor]) => (before.has(text) ? [] : [sensor]))
  }

  function whole(): AirFrame {
    return toFrame(true, {
      tracks: Array.from(tracker.tracks(), toAirTrack),
      ended: [],
      alerts: alerts.list(),
      ...moreAlerts(),
      sensors: sensors.list(timeMs),
      areas,
    })
  }

  function dropChanges(): undefined {
    tracker.takeChanges()
    alerts.takeChanges()
    areasChanged = false
    isSensorGone = false
  }

  return {
    timeMs: () => timeMs,
    *receive(report, entryAtMs) {
      const atMs = Math.max(entryAtMs, timeMs)
      runSeconds(atMs)
      lastReceivedAtMs = atMs
      const { deviceUrn, seq, receivedAtMs } = report
      if (sensors.hasSeen(deviceUrn, seq)) return
      const { receptions, lagsMs, sensorState } = toReceptions(report, sensors.stateOf(deviceUrn), reading)
      sensors.add({ deviceUrn, seq, receivedAtMs, lagsMs, state: sensorState })
      for (const reception of receptions) yield tracker.observe(reception)
    },
    advance(nowMs) {
      if (nowMs > timeMs && timeMs > 0) runSeconds(nowMs)
    },
    setAreas(given) {
      areas = given
      areasChanged = true
      attempt(() => alerts.setAreas(given))
    },
    forgetSensor(deviceUrn) {
      tracker.forgetSensor(deviceUrn)
      sensors.forget(deviceUrn)
      isSensorGone = true
    },
    takeChanges() {
      if (isSensorGone) {
        dropChanges()
        return whole()
      }
      const { changed, ended } = tracker.takeChanges()
      const frame = {
        tracks: changed.map(toAirTrack),
        ended: ended.map(({ id }) => id),
        alerts: alerts.takeChanges(),
        ...moreAlerts(),
        sensors: takeSensors(),
        ...(areasChanged && { areas }),
      }
      areasChanged = false
      const isEmpty = [frame.tracks, frame.ended, frame.alerts, frame.sensors].every(({ length }) => length === 0)
      return isEmpty && !frame.areas ? undefined : toFrame(false, frame)
    },
    dropChanges,
    whole,
    detail(trackId) {
      const track = tracker.find(trackId)
      if (!track) return undefined
      return {
        notice,
        track: toAirTrack(track),
        history: tracker.history(trackId).map(toAirTrackPoint),
        associations: tracker.associations(trackId).map(toAirAssociation),
      }
    },
    history: (query) => listPaths(tracker.histories(), query, timeMs),
    silentSensors: () => sensors.activities(timeMs).flatMap(({ deviceUrn, isSilent }) => (isSilent ? [deviceUrn] : [])),
    counts() {
      const { crowded, more } = alerts.counts()
      return { targets: count(tracker.tracks()), crowded, moreAlerts: more }
    },
    takeLeftOut() {
      const before = leftOut
      leftOut = { ...tracker.counts() }
      const since = (reason: AirLeftOut) => leftOut[reason] - before[reason]
      return {
        late: since('late'),
        ambiguous: since('ambiguous'),
        refused: since('refused'),
        evicted: since('evicted'),
        delayed: since('delayed'),
      }
    },
    isResting: () => (timeMs === 0 || timeMs - lastReceivedAtMs >= restAfterMs) && count(tracker.tracks()) === 0,
    snapshot: () => ({
      version: 2,
      timeMs,
      lastReceivedAtMs,
      tracker: tracker.snapshot(),
      alerts: alerts.snapshot(),
      areas,
      sensors: sensors.snapshot(),
    }),
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
