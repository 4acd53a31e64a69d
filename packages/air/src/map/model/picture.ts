/**
 * The air picture as the page knows it.
 * In: frames of the feed, and where targets were before the page was open. Out: targets, alerts, sensors and areas,
 * changed in place. Bounded by what the server sends: a target that ended is kept for the replay, for as long as the
 * window.
 */
import type { AirAlert, AirAreaList, AirSensor } from '@posrep/spec'
import { column, datumOrder, type PackedFrame, rowLength, stateOrder, type TrackTexts } from '../feed/packed-frame.ts'
import { toLat, toLon, toX, toY, unitsPerMetre } from './mercator.ts'
import { correct, placeLive } from './motion.ts'
import type { Target } from './target.ts'
import { addPast, addPoint, createTrail, type PastPoint } from './trail.ts'
import { toDirection, toKind, toName } from './words.ts'

export const windowMs = 600_000
/** Targets that ended, for the replay. */
const maxEnded = 1_000
const keepEndedAlertsMs = 3_600_000

export interface Picture {
  /** The targets of now, by handle. */
  readonly targets: Map<number, Target>
  /** Targets that ended in the window, oldest first. */
  readonly ended: Target[]
  alerts: AirAlert[]
  /** Conditions that are no alerts, because there are too many. */
  moreAlerts: number
  sensors: Map<string, AirSensor>
  areas: AirAreaList['features']
  /** Time of the last frame; NaN before the first. */
  timeMs: number
  apply(frame: PackedFrame, nowMs: number): void
  /** The targets of now that pass the filters. */
  wanted(): Target[]
  /** The targets of now; in the replay, those that are there at its time, also ones that ended. */
  visibleAt(moment: 'now' | 'replay'): Target[]
  /** Also one that ended in the window. */
  find(id: string): Target | undefined
  /** Adds where a target was that the page knows. */
  addHistory(id: string, past: readonly PastPoint[]): void
  /** Adds where targets were, also ones that ended before the page was open. */
  addPaths(paths: readonly Path[]): void
}

export interface Path extends Omit<TrackTexts, 'handle'> {
  hasEnded: boolean
  past: readonly PastPoint[]
}

export function createPicture(): Picture {
  const targets = new Map<number, Target>()
  const byId = new Map<string, Target>()

  function setTexts({ handle, id, type, identifiers, devices }: TrackTexts): void {
    const kind = toKind(type)
    const name = toName({ id, identifiers })
    const target = targets.get(handle)
    if (target) Object.assign(target, { name, kind, identifiers, devices })
    else {
      // The same track under another handle: after a lost connection the picture starts again.
      const trail = byId.get(id)?.trail ?? createTrail()
      const added = { ...blank, handle, id, name, kind, identifiers, devices, trail }
      targets.set(handle, added)
      byId.set(id, added)
    }
  }

  function setFigures(rows: Float64Array, at: number, nowMs: number): void {
    const target = targets.get(rows[at + column.handle] ?? -1)
    if (!target) return
    const isNew = Number.isNaN(target.timeMs)
    if (!isNew) placeLive(target, nowMs)
    const [wasX, wasY] = [target.shownX, target.shownY]
    readRow(target, rows, at)
    addPoint(target.trail, target.timeMs, target.x, target.y, target.altitude)
    if (isNew) placeLive(target, nowMs)
    else correct(target, wasX, wasY, nowMs)
  }

  function end(target: Target): void {
    targets.delete(target.handle)
    if (byId.get(target.id) === target) byId.delete(target.id)
    target.hasEnded = true
    picture.ended.push(target)
  }

  const picture: Picture = {
    targets,
    ended: [],
    alerts: [],
    moreAlerts: 0,
    sensors: new Map(),
    areas: [],
    timeMs: Number.NaN,
    wanted: () => [...targets.values()].filter(({ isWanted }) => isWanted),
    visibleAt: (moment) =>
      moment === 'replay'
        ? [...targets.values(), ...picture.ended].filter(({ isThere }) => isThere)
        : [...targets.values()],
    find: (id) => byId.get(id) ?? picture.ended.find((target) => target.id === id),
    addHistory(id, past) {
      const target = picture.find(id)
      if (target) addPast(target.trail, past)
    },
    addPaths(paths) {
      const endedById = new Map(picture.ended.map((target) => [target.id, target]))
      for (const path of paths) {
        const known = byId.get(path.id) ?? endedById.get(path.id)
        if (known) addPast(known.trail, path.past)
        else if (path.hasEnded && picture.ended.length < maxEnded) picture.ended.push(...toEnded(path))
      }
      picture.ended.sort((a, b) => a.timeMs - b.timeMs)
    },
    apply(frame, nowMs) {
      const { full, rows, texts, ended, alerts, moreAlerts, sensors, areas } = frame
      const before = full ? [...targets.values()] : []
      if (full) {
        targets.clear()
        picture.sensors = new Map()
      }
      for (const one of texts) setTexts(one)
      for (let at = 0; at < rows.length; at += rowLength) setFigures(rows, at, nowMs)
      if (full) for (const target of before) if (byId.get(target.id) === target) end(target)
      for (const handle of ended) {
        const target = targets.get(handle)
        if (target) end(target)
      }
      picture.timeMs = frame.timeMs
      picture.alerts = mergeAlerts(
        full ? picture.alerts.filter(({ state }) => state === 'ended') : picture.alerts,
        alerts,
        frame.timeMs,
      )
      picture.moreAlerts = moreAlerts
      for (const sensor of sensors) picture.sensors.set(sensor.deviceId, sensor)
      if (areas) picture.areas = areas.features
      const oldest = frame.timeMs - windowMs
      while (picture.ended.length > maxEnded || (picture.ended[0]?.timeMs ?? oldest) < oldest) picture.ended.shift()
      markAlerted()
    },
  }
  return picture

  function markAlerted(): void {
    for (const target of targets.values()) target.isAlerted = false
    for (const alert of picture.alerts) {
      if (alert.state !== 'active') continue
      for (const id of trackIdsOf(alert)) {
        const target = byId.get(id)
        if (target) target.isAlerted = true
      }
    }
  }
}

/** The tracks that an alert is about. */
export function trackIdsOf({ conflict, area, identityConflict, emergency }: AirAlert): string[] {
  if (conflict) return conflict.tracks.map(({ trackId }) => trackId)
  const single = area ?? emergency
  return single ? [single.trackId] : (identityConflict?.trackIds ?? [])
}

/** Whether an alert that ended then is still shown. */
export function isRecent(endedAt: string, nowMs: number): boolean {
  return nowMs - Date.parse(endedAt) < keepEndedAlertsMs
}

/** Active ones first, newest first. */
function mergeAlerts(known: AirAlert[], news: AirAlert[], nowMs: number): AirAlert[] {
  const byId = new Map([...known, ...news].map((alert) => [alert.id, alert]))
  const isKept = ({ endedAt }: AirAlert) => endedAt === null || isRecent(endedAt, nowMs)
  const rank = ({ state, raisedAt }: AirAlert) => (state === 'active' ? 1e15 : 0) + Date.parse(raisedAt)
  return [...byId.values()].filter(isKept).sort((a, b) => rank(b) - rank(a))
}

const blank: Omit<Target, 'handle' | 'id' | 'name' | 'kind' | 'identifiers' | 'devices' | 'trail'> = {
  state: 'tentative',
  timeMs: Number.NaN,
  receivedAtMs: Number.NaN,
  lat: Number.NaN,
  lon: Number.NaN,
  east: Number.NaN,
  north: Number.NaN,
  up: Number.NaN,
  altitude: Number.NaN,
  datum: undefined,
  onGround: false,
  accuracy: Number.NaN,
  x: 0,
  y: 0,
  unitsPerMetre: 1,
  direction: Number.NaN,
  errorX: 0,
  errorY: 0,
  errorAtMs: 0,
  shownX: 0,
  shownY: 0,
  shownDirection: Number.NaN,
  shownAltitude: Number.NaN,
  shownEast: Number.NaN,
  shownNorth: Number.NaN,
  shownUp: Number.NaN,
  hasEnded: false,
  isThere: true,
  isWanted: true,
  isAlerted: false,
  px: Number.NaN,
  py: Number.NaN,
  labelSide: -1,
}

/** One target, or none without points. */
function toEnded({ id, type, identifiers, devices, past }: Path): Target[] {
  const last = past.at(-1)
  if (!last) return []
  const trail = createTrail()
  addPast(trail, past)
  const { timeMs, x, y, altitudeMetres: altitude } = last
  const lat = toLat(y)
  const about = { id, name: toName({ id, identifiers }), kind: toKind(type), identifiers, devices }
  const place = { timeMs, receivedAtMs: timeMs, lat, lon: toLon(x), x, y, altitude, unitsPerMetre: unitsPerMetre(lat) }
  return [{ ...blank, ...about, ...place, handle: -1, state: 'live', trail, hasEnded: true }]
}

function readRow(target: Target, rows: Float64Array, at: number): void {
  const figure = (name: keyof typeof column) => rows[at + column[name]] ?? Number.NaN
  target.state = stateOrder[figure('state')] ?? 'live'
  target.timeMs = figure('timeMs')
  target.receivedAtMs = figure('receivedAtMs')
  target.lat = figure('lat')
  target.lon = figure('lon')
  target.east = figure('east')
  target.north = figure('north')
  target.up = figure('up')
  target.altitude = figure('altitude')
  target.datum = datumOrder[figure('datum')]
  target.onGround = figure('onGround') === 1
  target.accuracy = figure('accuracy')
  target.x = toX(target.lon)
  target.y = toY(target.lat)
  target.unitsPerMetre = unitsPerMetre(target.lat)
  const isMoving = Math.hypot(target.east, target.north) > 0.5
  target.direction = isMoving ? toDirection(target.east, target.north) : Number.NaN
}
