/**
 * What the map of any page has: the feed, the picture, the canvas, and the user's view of it.
 * In: the element with its attributes. Out: a session, with events for the panels.
 */
import type { AirSensor } from '@posrep/spec'
import type { Line } from '../draw/ground/land.ts'
import { createLandFiles, loadBasemap } from '../draw/ground/land-files.ts'
import { createTiles, type Tiles } from '../draw/ground/tiles.ts'
import { type DrawnMap, drawMap, type MapChoices } from '../draw/map.ts'
import type { FeedMessage } from '../feed/frame-row.ts'
import { everything, type Filter, isWanted } from '../model/filter.ts'
import { toFirstBox } from '../model/first-view.ts'
import { createPicture, type Picture } from '../model/picture.ts'
import type { Target } from '../model/target.ts'
import { timeOf } from '../model/trail.ts'
import { centreOn, fit, type Margins } from '../model/view.ts'

export type SessionEvent = 'frame' | 'selected' | 'followed' | 'filtered' | 'replay' | 'history' | 'link'

/** `partly`: there are more targets than an answer has. */
export type HistoryState = 'reading' | 'read' | 'partly' | 'failed'

export interface Session {
  picture: Picture
  map: DrawnMap
  choices: MapChoices
  /** `lost` since the connection broke; undefined before the first frame. */
  link: 'live' | 'lost' | undefined
  /** Of what was before the page was open; undefined before it is read first. */
  history: HistoryState | undefined
  filter: Filter
  nowMs(): number
  setFilter(filter: Filter): void
  /** As `there` of the picture, at the time that the map shows; all, and those of them that pass the filters. */
  targets(): { all: Target[]; wanted: Target[] }
  /** Call it when targets were added. */
  applyFilter(): void
  select(id: string | undefined): void
  fitAll(): void
  /** Pixels at the edges of the map that panels cover, and some more. */
  margins(): Margins
  /** The user moved the map; from then on it does not move by itself. */
  isMovedByUser: boolean
  /** The map keeps the selected target in the middle. */
  isFollowing: boolean
  /** Centres the map on the selected target; if `keeps`, also from now on. */
  follow(keeps: boolean): void
  stopFollowing(): void
  /** The earliest time that the replay can show. */
  beganAtMs(): number
  on(event: SessionEvent, listener: () => void): void
  tell(event: SessionEvent): void
}

/** Between what the map is moved to and its edges, or panels. */
const edge = 40
const maxLabels = { full: 220, compact: 60 }

export function createSession(root: HTMLElement): Session {
  const canvas = root.querySelector('canvas')
  if (!canvas) throw new Error('The map has no canvas')
  const picture = createPicture()
  const listeners = new Map<SessionEvent, (() => void)[]>()
  const isCompact = root.dataset.airMap === 'compact'
  const choices: MapChoices = {
    units: 'metric',
    selectedId: undefined,
    hovered: undefined,
    hasTrails: true,
    hasLabels: true,
    hasVectors: true,
    hasRings: true,
    hasAreas: true,
    replayMs: undefined,
  }
  let aheadMs = Number.NaN
  /** What the ground shows of them; their rates change with each frame. */
  let drawnSensors = ''
  const ground: { land: Line[]; basemap: Line[]; tiles: Tiles | undefined } = {
    land: [],
    basemap: [],
    tiles: undefined,
  }

  const nowMs = () => (Number.isNaN(aheadMs) ? Date.now() : performance.now() + aheadMs)
  /** The page of a device shows its own rings only. */
  const isShown = ({ deviceId }: AirSensor) => root.dataset.device === undefined || deviceId === root.dataset.device
  const map = drawMap({
    canvas,
    picture,
    choices,
    nowMs,
    sensors: () => [...picture.sensors.values()].filter(isShown),
    ground,
    maxLabels: isCompact ? maxLabels.compact : maxLabels.full,
    covered: () => coveredBy(root),
  })
  const land = createLandFiles(JSON.parse(root.dataset.land ?? '{}'), (lines) => {
    ground.land = lines
    map.redraw('ground')
  })
  land.need(0)
  const { basemap, tiles } = root.dataset
  if (tiles !== undefined) ground.tiles = createTiles(tiles, () => map.redraw('ground'))
  if (basemap !== undefined) {
    void loadBasemap(basemap).then((lines) => {
      ground.basemap = lines
      map.redraw('ground')
    })
  }

  function tell(event: SessionEvent): void {
    for (const listener of listeners.get(event) ?? []) listener()
  }

  function applyFilter(): void {
    for (const targets of [picture.targets.values(), picture.ended]) {
      for (const target of targets) target.isWanted = isWanted(target, session.filter)
    }
  }

  const session: Session = {
    picture,
    map,
    choices,
    link: undefined,
    history: undefined,
    filter: { ...everything, device: root.dataset.device },
    nowMs,
    applyFilter,
    isMovedByUser: false,
    isFollowing: false,
    margins: () => {
      const { top, right, bottom, left } = coveredBy(root)
      return { top: top + edge, right: right + edge, bottom: bottom + edge, left: left + edge }
    },
    tell,
    on(event, listener) {
      listeners.set(event, [...(listeners.get(event) ?? []), listener])
    },
    setFilter(filter) {
      session.filter = filter
      applyFilter()
      map.redraw()
      tell('filtered')
    },
    select(id) {
      if (id !== choices.selectedId) session.stopFollowing()
      choices.selectedId = id
      map.redraw()
      tell('selected')
    },
    follow(keeps) {
      session.isFollowing = keeps
      session.isMovedByUser = true
      const target = choices.selectedId === undefined ? undefined : picture.find(choices.selectedId)
      if (target) map.setView(centreOn(map.view(), target.shownX, target.shownY, session.margins()))
      tell('followed')
    },
    targets() {
      const all = picture.there(choices.replayMs !== undefined)
      return { all, wanted: all.filter(({ isWanted }) => isWanted) }
    },
    stopFollowing() {
      if (!session.isFollowing) return
      session.isFollowing = false
      tell('followed')
    },
    beganAtMs() {
      let earliest = nowMs()
      for (const targets of [picture.targets.values(), picture.ended]) {
        for (const { trail } of targets) if (trail.length > 0) earliest = Math.min(earliest, timeOf(trail, 0))
      }
      return earliest
    },
    fitAll() {
      session.stopFollowing()
      const box = toFirstBox(picture, session.filter.device)
      if (box) map.setView(fit(map.view(), box, session.margins()))
      land.need(map.view().scale)
    },
  }

  const worker = new Worker(root.dataset.feed ?? '', { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<FeedMessage>) => {
    if (data.kind === 'gone') return document.dispatchEvent(new Event('gone'))
    if (data.kind === 'frame') {
      const isFirst = Number.isNaN(picture.timeMs)
      const offset = data.timeMs - performance.now()
      // The frame that was least delayed says it best; the slow decrease follows clocks that drift.
      aheadMs = Number.isNaN(aheadMs) ? offset : Math.max(aheadMs - 20, offset)
      picture.apply(data, nowMs())
      applyFilter()
      map.place()
      if (isFirst || (!session.isMovedByUser && data.full)) session.fitAll()
      const sensors = JSON.stringify(
        [...picture.sensors.values()].map(({ deviceId, state, position }) => [deviceId, state, position]),
      )
      map.redraw(sensors !== drawnSensors || data.areas ? 'ground' : 'all')
      drawnSensors = sensors
      tell('frame')
    }
    const link = data.kind === 'lost' ? 'lost' : data.kind === 'open' ? session.link : 'live'
    if (link === session.link) return
    session.link = link
    tell('link')
  })
  worker.postMessage(new URL(root.dataset.stream ?? '', location.href).href)
  setInterval(() => land.need(map.view().scale), 300)
  return session
}

/** On a wide page, panels float at the sides of the map. Those below it are below the tools. */
function coveredBy(root: HTMLElement): Margins {
  const map = root.querySelector('.air-view')?.getBoundingClientRect()
  const find = (selector: string) => {
    const column = root.querySelector(selector)
    return column && getComputedStyle(column).position === 'absolute' ? column.getBoundingClientRect() : undefined
  }
  const [left, right, tools] = ['.air-left', '.air-right', '.air-tools'].map(find)
  return {
    top: 0,
    right: map && right ? map.right - right.left : 0,
    bottom: map && tools ? map.bottom - tools.top : 0,
    left: map && left ? left.right - map.left : 0,
  }
}
